import { describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { Cases } from '../../../suites/corpus/cases.ts';
import { Draw } from '../../../suites/corpus/random.ts';
import { everyFlip, nameOf, readDrafts, type AnyFlip } from '../../../suites/flips/flip.ts';
import { Search, type Source } from '../../../suites/flips/search.ts';
import { Trials, type Notice, type Trial } from '../../../suites/flips/trials.ts';
import { loadMutants, rcResponder } from '../../../suites/index.ts';

const rules = loadRules();
const every = everyFlip(rules, readDrafts());

function flip(name: string): AnyFlip {
  const found = every.find((one) => nameOf(one) === name);
  if (found === undefined) throw new Error(`no flip ${name}`);
  return found;
}

const source: Source = {
  cases: new Cases(),
  rules,
  properties: rcResponder.filter(({ aims = [] }) => aims.includes('rc-request-ahead')),
  mutants: loadMutants(rules).filter(({ id }) => id === 'nak-msn-zero'),
  seed: 1,
};

/** What comes of a flip in a search of so many rounds. */
async function trial(one: AnyFlip, rounds: number): Promise<Trial> {
  const trials = new Trials(rules, new Map([[0, one]]), 40);
  let found: Trial | undefined;
  const search = new Search(trials, source, new Draw(1), (_, noticed) => (found = noticed));
  const over = (): boolean => found !== undefined;
  await search.survey(over);
  for (let i = 0; i < rounds && !over(); i++) await search.round(over);
  return found ?? { tried: trials.tried(0) };
}

describe('a flip', () => {
  it.each<[string, readonly (Notice | undefined)[]]>([
    ['rc-request-ahead reply: nak -> ack', ['violations', 'doubts']],
    ['rc-msn-in-nak mustMsn: completed-without -> left out', ['violations']],
    [
      'rc-responder outcomes.expectedPsn.does.advance: ePsn := packet.psn + psns -> left out',
      ['violations', 'doubts', 'counts'],
    ],
  ])('is noticed: %s', async (name, notices) => {
    expect(notices).toContain((await trial(flip(name), 60)).notice);
  });

  it('that changes nothing is not, in any trace that asks for it or is made of one', async () => {
    const one = flip('rc-request-ahead reply: nak -> ack');
    const found = await trial({ ...one, rules: () => ({ ...rules }) }, 20);
    expect(found.notice).toBeUndefined();
    expect(found.tried).toBeGreaterThan(3);
  });

  it('of what rules leave to the default of an outcome is of one word in each table, and of no other', () => {
    const whole = every.filter(({ rule, where }) => rule?.startsWith('rc-response-') && where === 'data');
    const wordOf = (rule: string, from: string): string[] => [
      ...new Set(whole.filter((one) => one.rule === rule && one.from === from).map(({ word }) => word)),
    ];
    const usual = wordOf('rc-response-ghost', 'dropped');
    expect(usual).toEqual(['rc-requester-response data, default']);
    expect(wordOf('rc-response-duplicate', 'dropped')).toEqual(usual);
    expect(wordOf('rc-response-data', 'placed')).toEqual(['rc-response-data 0 data']);
  });

  it('that the compiler refuses needs no trace', async () => {
    const refused = { ...flip('rc-request-ahead reply: nak -> ack'), rules: () => undefined };
    expect(await trial(refused, 0)).toEqual({ notice: 'compiler', tried: 0 });
  });

  it('has a name of its own, but for statements that stand twice', () => {
    const names = every.map(nameOf);
    expect(new Set(names).size).toBeGreaterThan(names.length * 0.99);
  });
});
