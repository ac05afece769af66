import { beforeAll, describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { makeCorpus } from '../../../suites/corpus/traces.ts';
import { Evidence } from '../../../suites/flips/evidence.ts';
import { everyFlip, nameOf, type AnyFlip } from '../../../suites/flips/flip.ts';
import { tryFlip, type Notice } from '../../../suites/flips/trial.ts';
import { loadMutants, rcResponder } from '../../../suites/index.ts';

const rules = loadRules();
const every = everyFlip(rules);
const evidence = new Evidence(rules);

function flip(name: string): AnyFlip {
  const found = every.find((one) => nameOf(one) === name);
  if (found === undefined) throw new Error(`no flip ${name}`);
  return found;
}

describe('a flip', () => {
  beforeAll(async () => {
    const properties = rcResponder.filter(({ aims = [] }) => aims.includes('rc-request-ahead'));
    const mutants = loadMutants(rules).filter(({ id }) => id === 'nak-msn-zero');
    await makeCorpus({ seed: 1, cases: 8, properties, mutants, part: { i: 0, n: 1 } }, (trace) =>
      evidence.offer(trace),
    );
  }, 60_000);

  it.each<[string, readonly (Notice | undefined)[]]>([
    ['rc-request-ahead reply: nak -> ack', ['violations', 'doubts']],
    ['rc-msn-in-nak mustMsn: completed-without -> left out', ['violations']],
    [
      'rc-responder outcomes.expectedPsn.does.advance: ePsn := packet.psn + psns -> left out',
      ['violations', 'doubts', 'counts'],
    ],
  ])('is noticed: %s', (name, notices) => {
    expect(notices).toContain(tryFlip(flip(name), evidence).notice);
  });

  it('that changes nothing is not, in any trace that asks for it', () => {
    const one = flip('rc-request-ahead reply: nak -> ack');
    const same = { ...one, rules: () => ({ ...rules }) };
    const trial = tryFlip(same, evidence);
    expect(trial.notice).toBeUndefined();
    expect(trial.tried).toBeGreaterThan(3);
  });

  it('that the compiler refuses needs no trace', () => {
    const refused = { ...flip('rc-request-ahead reply: nak -> ack'), rules: () => undefined };
    expect(tryFlip(refused, evidence)).toEqual({ notice: 'compiler', tried: 0 });
  });

  it('has a name of its own, but for statements that stand twice', () => {
    const names = every.map(nameOf);
    expect(new Set(names).size).toBeGreaterThan(names.length * 0.99);
  });
});
