import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../report/causes/causes.ts';
import { sampleRun } from '../sample.ts';
import { grouped, impacts, runOf } from './run-of.ts';

describe('causes of known divergences', () => {
  it('hold known divergences that are explained at one place', () => {
    const known = { reason: 'x', link: 'page#one' };
    const other = { reason: 'x', link: 'page#two' };
    expect(
      grouped([
        { rule: 'a', known },
        { rule: 'b', known: other },
        { rule: 'c', known },
      ]),
    ).toEqual(['a c', 'b']);
  });

  it('hold no two known divergences that are explained at two places, and what is news with one of them', () => {
    const event = { expected: 'IBV_EVENT_COMM_EST', observed: 'no event' };
    const at = (place: string): { reason: string; link: string } => ({
      reason: 'x',
      link: `page#${place}`,
    });
    expect(
      grouped([
        { rule: 'a', known: at('one'), ...event },
        { rule: 'b', known: at('two'), ...event },
        { rule: 'c', known: at('one'), before: ['b'] },
      ]),
    ).toEqual(['a c', 'b']);
    const [first] = causesOf(
      runOf([
        { rule: 'a', known: at('one'), ...event },
        { rule: 'b', ...event },
      ]),
    );
    expect(first?.findings.map(({ rule }) => rule)).toEqual(['a', 'b']);
    expect(first?.known).toBe(false);
  });

  it('hold two findings of one rule apart that two entries of the list explain', () => {
    const { rules, failures } = runOf([
      { rule: 'a', observed: 'state ERR', expected: 'state RTS', known: { reason: 'x', link: 'page#one' } },
    ]);
    const [one] = failures;
    if (one === undefined) throw new Error('no finding');
    const other = { ...one, signature: 't', divergence: { reason: 'y', link: 'page#two' } };
    const causes = causesOf(sampleRun({ rules, failures: [one, other], impacts }));
    expect(causes.map(({ name }) => name)).toEqual([
      'state ERR instead of state RTS: s (a)',
      'state ERR instead of state RTS: t (a)',
    ]);
  });
});
