import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../oracle/index.ts';
import { compareJudgements, inNamesBefore } from '../../scripts/net/compare.ts';
import { unpacked, type RecordedCase } from '../../scripts/net/fixture.ts';
import { seenOf, viewNames } from '../../suites/corpus/views/index.ts';
import { placeOf, readNames } from '../../scripts/net/names.ts';
import { decode, encode, type Packet } from '../../wire/index.ts';
import { root } from '../project/files.ts';

/**
 * What an earlier build said of traces of every property and of some mutants. Where a verdict changed on purpose, name it in
 * scripts/net/differences.yaml, or record the traces anew with a build of which each verdict is right:
 * `npm run net -- BUILD --record test/fixtures/net/judged-traces.br`
 */
const file = join(root, 'test', 'fixtures', 'net', 'judged-traces.br');

function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

const cases = unpacked(readFileSync(file), packetOf);
const names = readNames(join(root, 'scripts', 'net', 'differences.yaml'));
const rules = loadRules();

/** In what the judgements of a case and of what is made of it differ from those that were recorded. */
function differences({ name, property, mutant, header, events, judged }: RecordedCase): unknown[] {
  const where = { property, ...(mutant !== undefined && { mutant }) };
  const seen = seenOf({ header, events }, name, { decode, encode });
  const found = seen.flatMap(({ view, trace }, i): unknown[] => {
    const before = judged[i];
    if (before?.view !== view) return [`recorded as ${before?.view}, and seen as ${view}`];
    const after = inNamesBefore(judgeTrace(trace.header, trace.events, rules), names);
    return compareJudgements(before?.judgement ?? { thrown: 'nothing' }, after)
      .map((difference) => ({ ...difference, ...(view !== undefined && { view }) }))
      .filter((difference) => placeOf(difference, where, names) < 0);
  });
  return found.length === 0 ? [] : [name, ...found];
}

const suites = [...new Set(cases.map(({ property }) => property.split('/')[0] ?? ''))];

describe('traces are judged as an earlier build judged them', () => {
  it.each(suites)('of %s', (suite) => {
    const own = cases.filter(
      ({ property, mutant }) => property.startsWith(`${suite}/`) && mutant === undefined,
    );
    expect(own.length).toBeGreaterThan(0);
    expect(own.map(differences).filter((found) => found.length > 0)).toEqual([]);
  });

  it.each(suites)('of mutants, by %s', (suite) => {
    const own = cases.filter(
      ({ property, mutant }) => property.startsWith(`${suite}/`) && mutant !== undefined,
    );
    expect(own.map(differences).filter((found) => found.length > 0)).toEqual([]);
  });

  it('which are of sound devices and of broken ones', () => {
    const broken = cases.filter(({ judged }) => (judged[0]?.judgement.violations.length ?? 0) > 0);
    expect(broken.length).toBeGreaterThan(100);
    expect(cases.length - broken.length).toBeGreaterThan(150);
  });

  it('which were seen in every way there is', () => {
    const ways = new Set(cases.flatMap(({ judged }) => judged.flatMap(({ view = [] }) => view)));
    expect([...ways].toSorted()).toEqual([...viewNames].toSorted());
  });
});
