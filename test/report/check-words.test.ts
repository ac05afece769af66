import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../report/check-results.ts';
import { reasonsOf, summaryOf } from '../../report/check-words.ts';
import { hintText, seenIn } from '../../report/connections/hint-text.ts';
import { prettyCheck } from '../../report/pretty-check.ts';
import { sampleCheck, sampleRule } from './sample.ts';

const none = { ...sampleCheck.counts, pass: 1, fail: 0 };
const clean: CheckResult = {
  ...sampleCheck,
  counts: none,
  rules: [sampleRule({ id: 'rc-passes' })],
  violations: [],
  inconclusive: [],
};
const context = { version: '1.2.3', width: 80, colour: false };

describe('what came of a check', () => {
  it.each<[string, string, CheckResult]>([
    ['pass', 'No rule seen broken', clean],
    ['fail', '1 rule broken (1 violation)', sampleCheck],
    ['warn', 'No rule seen broken', { ...clean, inconclusive: ['the capture has gaps'] }],
    ['warn', 'No rule seen broken', { ...clean, interrupted: true }],
    ['warn', 'No rule seen broken', { ...clean, damage: { offset: 3, message: 'cut' } }],
    ['warn', 'Nothing was judged', { ...clean, rules: [sampleRule({ exercised: 0, verdict: 'vacuous' })] }],
    [
      'pass',
      'No MUST seen broken, 1 SHOULD not kept (4 violations)',
      {
        ...clean,
        counts: { ...none, deviation: 1 },
        rules: [sampleRule({ verdict: 'deviation', violations: 4 })],
      },
    ],
  ])('is %s: %s', (kind, text, result) => {
    expect(summaryOf(result)).toMatchObject({ kind, text });
    expect(prettyCheck(result, context)).toContain(`\n${text}.\n`);
  });

  it('says which ends were judged, and that something was not decided', () => {
    const judged = [
      { says: 'both ends', connections: 18 },
      { says: 'the requester only', connections: 1 },
    ];
    const connections = { total: 19, listed: [], judged, hints: [] };
    const { seen } = summaryOf({ ...clean, connections, inconclusive: ['why'] });
    expect(seen).toEqual([
      'Judged: both ends of 18 connections, the requester only of 1 connection. A capture shows no calls, completions or memory.',
      'Not everything could be decided: see "Inconclusive".',
    ]);
  });

  it('tells a reason of several QPs once, and not more than can be read', () => {
    const lacks = Array.from(
      { length: 500 },
      (_, i) => `qp 0x${(i + 16).toString(16)} at 10.0.0.1: it lacks some`,
    );
    expect(reasonsOf({ inconclusive: [...lacks, 'another', 'sender to qp 0x1 at fd00::1: one'] })).toEqual([
      '500 times, first qp 0x10 at 10.0.0.1: it lacks some',
      'another',
      'sender to qp 0x1 at fd00::1: one',
    ]);
    const many = reasonsOf({ inconclusive: Array.from({ length: 30 }, (_, i) => `reason ${i}`) });
    expect(many).toHaveLength(21);
    expect(many.at(-1)).toBe('and 10 more reasons');
  });

  it('tells what a hint means once, where there are several connections', () => {
    expect(seenIn(hintText('1 PSN from fd00::1 never seen', 'lost'))).toBe('1 PSN from fd00::1 never seen.');
  });
});
