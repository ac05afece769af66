import { readFileSync, writeFileSync } from 'node:fs';
import { judgeTrace, loadRules } from '../../oracle/index.ts';
import { seenOf } from '../../suites/corpus/views/index.ts';
import { decode, encode, type Packet } from '../../wire/index.ts';
import { packed, unpacked } from './fixture.ts';

function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

/** Judges the traces of a file that `record` wrote as this checkout does, and keeps that. Gives their number. */
export function judgeAgain(file: string): number {
  const rules = loadRules();
  const cases = unpacked(readFileSync(file), packetOf).map((one) => ({
    ...one,
    judged: seenOf(one, one.name, { decode, encode }).map(({ view, trace }) => ({
      ...(view !== undefined && { view }),
      judgement: judgeTrace(trace.header, trace.events, rules),
    })),
  }));
  writeFileSync(file, packed(cases));
  return cases.length;
}
