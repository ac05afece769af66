import { describe, expect, it } from 'vitest';
import { upstreamFiles, upstreamRun } from '../../report/formats/upstream.ts';
import { sampleFailure, sampleRun } from './sample.ts';

const context = {
  version: '1',
  width: 80,
  colour: false,
  statement: (id: string) => ({
    id,
    text: `what ${id} says`,
    source: 'a page; section 2',
    also: ['a book; chapter 1'],
  }),
};

describe('texts for those who maintain a device', () => {
  it('hold what happens, the exchange, what forbids it, who can trigger it and how to run it again', () => {
    const crafted = { steps: [{ do: 'inject' }], faults: [] };
    const [file, ...more] = upstreamFiles(
      sampleRun({ failures: [{ ...sampleFailure, scenario: crafted }] }),
      context,
    );
    expect(more).toEqual([]);
    expect(file?.name).toBe('01-rc-request-ahead.txt');
    const text = file?.text ?? '';
    expect(text).toMatch(
      /^Subject: reference: NAK psn-sequence-error with another PSN \(rc-request-ahead\)$/m,
    );
    expect(text).toContain('expected: NAK psn-sequence-error with PSN 5');
    expect(text).toMatch(/^>> .*ACKNOWLEDGE psn=6/m);
    expect(text).toContain('what rx-psn-nak-condition says (a page; section 2; a book; chapter');
    expect(text).toMatch(/A peer can trigger it/);
    expect(text).toContain('npx rdma-conform replay rc1.AbCd_-09');
  });

  it('begin with a warning where a peer or a program may do harm by it, and only there', () => {
    const text = (id: string): string => {
      const run = sampleRun({ failures: [sampleFailure] });
      const rules = run.rules.map((rule) => ({ ...rule, impact: id }));
      return upstreamRun({ ...run, rules, impacts: [{ id, says: 'x' }] }, context);
    };
    for (const id of ['device-loss', 'security']) expect(text(id)).toMatch(/^NOT FOR A PUBLIC LIST: /);
    for (const id of ['hang', 'wrong-data']) expect(text(id)).toMatch(/^Subject: /);
  });

  it('say nothing of the machine that the test ran on', () => {
    const stall = {
      t: 1,
      kind: 'note' as const,
      text: 'the device or its host may have stood still for 317 ms',
    };
    const log = { t: 2, kind: 'note' as const, text: 'log: rdma_rxe: Unexpected send wqe opcode 99' };
    const failure = {
      ...sampleFailure,
      expected: 'no response',
      observed: 'NAK Remote access error',
      ladder: [...sampleFailure.ladder, stall, log],
    };
    const text = upstreamRun(sampleRun({ failures: [failure] }), context);
    expect(text).toMatch(/^Subject: reference: unexpected NAK Remote access error \(rc-request-ahead\)$/m);
    expect(text).not.toContain('stood still');
    expect(text).toContain('Unexpected send wqe opcode 99');
  });

  it('tell a fault of the network and a local call from crafted packets', () => {
    const text = (scenario: unknown): string =>
      upstreamRun(sampleRun({ failures: [{ ...sampleFailure, scenario }] }), context);
    expect(text({ steps: [], faults: [{}] })).toContain('a network that loses');
    expect(text({ steps: [], faults: [] })).toContain('the calls of a local program');
    expect(upstreamRun(sampleRun({ failures: [] }), context)).toBe('Nothing to report.\n');
  });

  it('name each other rule once', () => {
    const first = { rule: 'rc-request-ahead', signature: 'one', before: true };
    const found = (rule: string, signature: string) => ({ ...sampleFailure, rule, signature, also: [first] });
    const failures = [
      { ...sampleFailure, signature: 'one' },
      found('rc-request-ahead', 'two'),
      found('rc-memory-repeated', 'one'),
      found('rc-memory-repeated', 'two'),
    ];
    const [file, ...more] = upstreamFiles(sampleRun({ failures }), context);
    expect(more).toEqual([]);
    expect(file?.text.match(/^ {2}- rc-[a-z-]+/gm)).toEqual(['  - rc-memory-repeated']);
  });
});
