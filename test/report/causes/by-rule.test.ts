import { describe, expect, it } from 'vitest';
import { causeByRule, causeNote } from '../../../report/causes/by-rule.ts';
import { junitRun } from '../../../report/formats/junit.ts';
import { tapRun } from '../../../report/formats/tap.ts';
import { sampleFailure, sampleRule, sampleRun } from '../sample.ts';

const lead = { ...sampleFailure, rule: 'lead', signature: 'no answer', observed: 'silence' };
const follower = {
  ...sampleFailure,
  rule: 'follower',
  signature: 'late',
  also: [{ rule: 'lead', signature: 'no answer', before: true }],
};
const result = sampleRun({
  rules: [
    sampleRule({ id: 'follower', verdict: 'fail' }),
    sampleRule({ id: 'lead', verdict: 'fail' }),
    sampleRule({ id: 'passes' }),
  ],
  failures: [follower, lead],
});

describe('the cause of a broken rule', () => {
  const note = (rule: string): string | undefined => {
    const found = causeByRule(result).get(rule);
    return found && causeNote(rule, found);
  };

  it('has the name of the finding that shows it, and names what else is broken', () => {
    expect(note('lead')).toBe('cause 1: silence instead of NAK psn-sequence-error; breaks as well: follower');
    expect(note('follower')).toBe('cause 1: silence instead of NAK psn-sequence-error; follows from lead');
    expect(note('passes')).toBeUndefined();
  });

  it('stands with the failures of JUnit and TAP', () => {
    expect(junitRun(result, {})).toContain(
      '\ncause 1: silence instead of NAK psn-sequence-error; follows from lead\n',
    );
    const tap = tapRun(result, { version: '1', width: 80, colour: false });
    expect(tap).toContain(
      '\n  cause: "cause 1: silence instead of NAK psn-sequence-error; breaks as well: follower"\n',
    );
  });
});
