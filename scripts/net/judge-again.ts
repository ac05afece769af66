import { readFileSync, writeFileSync } from 'node:fs';
import { judgeTrace, loadRules } from '../../oracle/index.ts';
import { seenOf } from '../../suites/corpus/views/index.ts';
import { decode, encode, type Packet } from '../../wire/index.ts';
import { compareJudgements } from './compare.ts';
import { packed, unpacked } from './fixture.ts';

function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

/** What judging anew came to. */
export interface JudgedAgain {
  cases: number;
  /** by what differs, such as "exercised rc-request-ahead": in how many judgements */
  changed: ReadonlyMap<string, number>;
}

/** Judges the traces of a file that `record` wrote as this checkout does, and keeps that. */
export function judgeAgain(file: string): JudgedAgain {
  const rules = loadRules();
  const changed = new Map<string, number>();
  const cases = unpacked(readFileSync(file), packetOf).map((one) => ({
    ...one,
    judged: seenOf(one, one.name, { decode, encode }).map(({ view, trace }, i) => {
      const judgement = judgeTrace(trace.header, trace.events, rules);
      const before = one.judged[i]?.judgement;
      const names = (before === undefined ? [] : compareJudgements(before, judgement)).map(
        ({ field, key }) => `${field} ${key}`,
      );
      for (const name of new Set(names)) changed.set(name, (changed.get(name) ?? 0) + 1);
      return { ...(view !== undefined && { view }), judgement };
    }),
  }));
  writeFileSync(file, packed(cases));
  return { cases: cases.length, changed };
}
