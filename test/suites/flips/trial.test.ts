import { beforeAll, describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { Cases } from '../../../suites/corpus/cases.ts';
import { Draw } from '../../../suites/corpus/random.ts';
import { makeCorpus, type CorpusTrace } from '../../../suites/corpus/traces.ts';
import { everyFlip, nameOf, type AnyFlip } from '../../../suites/flips/flip.ts';
import { Search } from '../../../suites/flips/search.ts';
import { Trials, type Notice, type Trial } from '../../../suites/flips/trials.ts';
import { loadMutants, rcResponder } from '../../../suites/index.ts';

const rules = loadRules();
const every = everyFlip(rules);
const corpus: CorpusTrace[] = [];

function flip(name: string): AnyFlip {
  const found = every.find((one) => nameOf(one) === name);
  if (found === undefined) throw new Error(`no flip ${name}`);
  return found;
}

/** What comes of a flip on the corpus, and after so many rounds of changed traces. */
function trial(one: AnyFlip, rounds = 0): Trial {
  const trials = new Trials(rules, new Map([[0, one]]), 40);
  let found: Trial | undefined;
  const search = new Search(trials, (_, trial) => (found = trial));
  for (const trace of corpus) search.offer(trace);
  const draw = new Draw(1);
  for (let i = 0; i < rounds; i++) search.round(draw);
  return found ?? { tried: trials.tried(0) };
}

describe('a flip', () => {
  beforeAll(async () => {
    const properties = rcResponder.filter(({ aims = [] }) => aims.includes('rc-request-ahead'));
    const mutants = loadMutants(rules).filter(({ id }) => id === 'nak-msn-zero');
    const options = { seed: 1, cases: 8, properties, mutants, part: { i: 0, n: 1 } };
    await makeCorpus(new Cases(), options, (trace) => {
      corpus.push(trace);
      return [];
    });
  }, 60_000);

  it.each<[string, readonly (Notice | undefined)[]]>([
    ['rc-request-ahead reply: nak -> ack', ['violations', 'doubts']],
    ['rc-msn-in-nak mustMsn: completed-without -> left out', ['violations']],
    [
      'rc-responder outcomes.expectedPsn.does.advance: ePsn := packet.psn + psns -> left out',
      ['violations', 'doubts', 'counts'],
    ],
  ])('is noticed: %s', (name, notices) => {
    expect(notices).toContain(trial(flip(name)).notice);
  });

  it('that changes nothing is not, in any trace that asks for it or is made of one', () => {
    const one = flip('rc-request-ahead reply: nak -> ack');
    const found = trial({ ...one, rules: () => ({ ...rules }) }, 20);
    expect(found.notice).toBeUndefined();
    expect(found.tried).toBeGreaterThan(3);
  });

  it('that the compiler refuses needs no trace', () => {
    const refused = { ...flip('rc-request-ahead reply: nak -> ack'), rules: () => undefined };
    expect(trial(refused)).toEqual({ notice: 'compiler', tried: 0 });
  });

  it('has a name of its own, but for statements that stand twice', () => {
    const names = every.map(nameOf);
    expect(new Set(names).size).toBeGreaterThan(names.length * 0.99);
  });
});
