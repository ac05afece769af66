import { describe, expect, it } from 'vitest';
import { upstreamFiles, upstreamRun } from '../../report/formats/upstream.ts';
import type { LadderLine } from '../../report/results.ts';
import { sampleFailure, sampleRule, sampleRun } from './sample.ts';

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
    expect(text).toMatch(/^Subject: reference: NAK psn-sequence-error with another PSN$/m);
    expect(text).toContain('expected: NAK psn-sequence-error with PSN 5');
    expect(text).toMatch(/^>> .*ACKNOWLEDGE psn=6/m);
    expect(text).toContain('what rx-psn-nak-carries-epsn says (a page; section 2; a book;');
    expect(text).toMatch(/A peer can trigger it/);
    expect(text).toContain('npx rdma-conform replay rc1.AbCd_-09');
  });

  it('begin with a warning where a peer or a program may do harm by it, and only there', () => {
    const text = (id: string): string => {
      const run = sampleRun({ failures: [{ ...sampleFailure, observed: 'Acknowledge' }] });
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
    expect(text).toMatch(/^Subject: reference: unexpected NAK Remote access error$/m);
    expect(text).not.toContain('stood still');
    expect(text).toContain('Unexpected send wqe opcode 99');
  });

  it('say whose log it is, and why the device does so where that may be said', () => {
    const log = { t: 2, kind: 'note' as const, text: 'log: rdma_rxe: Unexpected send wqe opcode 99' };
    const text = (more: object): string =>
      upstreamRun(sampleRun({ failures: [{ ...sampleFailure, ...more }] }), context).replaceAll(/\s+/g, ' ');
    expect(text({})).not.toContain('from the log');
    expect(text({ ladder: [...sampleFailure.ladder, log] })).toContain('Some may come from other cases');
    const reason = 'check_psn takes it for a duplicate.';
    expect(text({ divergence: { reason } })).toContain(`What was found out: ${reason}`);
    expect(text({ divergence: { reason, link: 'a.md#withheld' } })).not.toContain(reason);
    // the reader does not have the list
    expect(text({ divergence: { reason: 'The same as rc-other, on an SRQ.' } })).not.toContain('found out');
  });

  it('name few of the statements that they do not quote', () => {
    const statements = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const text = (says: string): string =>
      upstreamRun(sampleRun({ failures: [{ ...sampleFailure, statements }] }), {
        ...context,
        statement: (id) => ({ id, text: `${says} ${id}.`, source: 'a page', also: [] }),
      }).replaceAll(/\s+/g, ' ');
    const hint = '("rdma-conform rules show rc-request-ahead" lists them).';
    expect(text('A NAK says')).toContain(`and 2 more as well ${hint}`);
    // what has no word in common with the case is about something else
    expect(text('Memory holds')).toContain(`The rule rests on a, b, c and 5 more ${hint}`);
  });

  it('tell a fault of the network and a local call from crafted packets', () => {
    const text = (scenario: unknown): string =>
      upstreamRun(sampleRun({ failures: [{ ...sampleFailure, scenario }] }), context);
    expect(text({ steps: [], faults: [{}] })).toContain('a network that loses');
    expect(text({ steps: [], faults: [] })).toContain('the calls of a local program');
    expect(upstreamRun(sampleRun({ failures: [] }), context)).toBe('Nothing to report.\n');
  });

  it('begin with the defect, and with the values of the case where its name only says that they differ', () => {
    const first = (expected: string, observed: string): string | undefined =>
      upstreamRun(sampleRun({ failures: [{ ...sampleFailure, expected, observed }] }), context).split(
        '\n',
      )[0];
    expect(first('Q_Key 0x11111111', 'Q_Key 0x80000000')).toBe(
      'Subject: reference: Q_Key 0x80000000 instead of 0x11111111',
    );
    expect(first('payload byte 0 = 168', '112')).toMatch(/: payload byte 0 is 112 instead of 168$/);
    expect(first('RDMA_WRITE_FIRST for IBV_WR_RDMA_WRITE wr_id 1001', 'RC_RDMA_WRITE_ONLY')).toMatch(
      /: RDMA_WRITE_ONLY instead of RDMA_WRITE_FIRST$/,
    );
    expect(first('no response', 'NAK Remote access error')).toMatch(/: unexpected NAK Remote access error$/);
    const text = upstreamRun(sampleRun({ failures: [{ ...sampleFailure, unshrunk: true }] }), context);
    expect(text).toMatch(
      /^Seen on reference \(1\): NAK psn-sequence-error with another PSN\.\n\nThis breaks the rule: /m,
    );
    expect(text).toContain('There may be a shorter case');
  });

  it('say on what occasion it shows: packet, work request or call, and what software had done before', () => {
    const arrow = (kind: LadderLine['kind'], text: string, guilty = false): LadderLine => ({
      t: 0,
      kind,
      text,
      ...(guilty && { guilty }),
    });
    const subject = (expected: string, observed: string, ladder: LadderLine[], more: object = {}): string => {
      const failure = { ...sampleFailure, expected, observed, ladder, ...more };
      const text = upstreamRun(sampleRun({ failures: [failure] }), context);
      return (/^Subject: reference: (.*)$/m.exec(text) ?? [])[1] ?? '';
    };
    const asks = [
      arrow('to-dut', 'RC FETCH_ADD psn 7 qp 0x11 ack-req'),
      arrow('to-dut', 'RC SEND_ONLY psn 8 qp 0x11 0 bytes'),
    ];
    const refusal = 'RC ACKNOWLEDGE psn 7 qp 0x22 NAK Invalid request msn 0';
    const nak = [...asks, arrow('from-dut', refusal, true)];
    expect(subject('no response', refusal, nak)).toBe(
      'unexpected NAK Invalid request in answer to RC FETCH_ADD',
    );
    const spoiled = {
      influences: [
        { what: 'step 1 (inject FETCH_ADD): defect', is: 'another P_Key', broken: [], kept: ['none'] },
      ],
    };
    expect(subject('no response', refusal, nak, spoiled)).toBe(
      'unexpected NAK Invalid request in answer to RC FETCH_ADD with another P_Key',
    );
    expect(subject('Acknowledge of PSN 8', 'no response', [...asks, arrow('note', 'x', true)])).toBe(
      'no Acknowledge in answer to RC SEND_ONLY',
    );
    const posted = [
      arrow('verbs', 'ibv_post_recv wr_id 1, 8 bytes'),
      arrow('verbs', 'ibv_post_send QP A wr_id 1000 IBV_WR_RDMA_READ, 8 bytes'),
      arrow('note', 'x', true),
    ];
    const scenario = { service: 'UC', steps: [], faults: [] };
    expect(subject('IBV_WC_SUCCESS of work request 1', 'no completion', posted, { scenario })).toBe(
      'no IBV_WC_SUCCESS of a receive on a UC QP',
    );
    const signature = 'no completion, after SQD';
    expect(subject('IBV_WC_SUCCESS for wr_id 1000', 'no completion', posted, { signature })).toBe(
      'no IBV_WC_SUCCESS of IBV_WR_RDMA_READ, after SQD',
    );
    expect(subject('IBV_EVENT_QP_FATAL', 'no event', posted)).toBe(
      'no IBV_EVENT_QP_FATAL after ibv_post_send IBV_WR_RDMA_READ',
    );
  });

  it('say what it takes, where that was tried', () => {
    const influences = [{ what: 'path MTU', is: '256', broken: ['512'], kept: ['4096'] }];
    const text = upstreamRun(sampleRun({ failures: [{ ...sampleFailure, influences }] }), context);
    expect(text).toMatch(/^ {2}- path MTU 256, 512 \(not 4096\)$/m);
  });

  it('quote the statements that are about what was expected, and the clause of the rule', () => {
    const texts = new Map([
      ['local', 'IBV_WC_REM_INV_REQ_ERR is what the requester reports of an invalid request.'],
      ['rnr', 'When the RNR retries are used up, the CQE reports RNR Retry Counter Exceeded.'],
      ['ack', 'IBV_WC_RNR_RETRY_EXC_ERR arises when retransmissions caused by RNR NAKs pass their limit.'],
      ['table', 'NAK codes are in a table.'],
    ]);
    const failure = {
      ...sampleFailure,
      statements: [...texts.keys()],
      expected: 'IBV_WC_RNR_RETRY_EXC_ERR for IBV_WR_SEND wr_id 1000',
      observed: 'IBV_WC_SUCCESS for wr_id 1000',
    };
    const rules = [sampleRule({ verdict: 'fail', source: 'IBTA 9.9', latitude: 'It may be late.' })];
    const text = upstreamRun(sampleRun({ rules, failures: [failure] }), {
      ...context,
      statement: (id) => ({ id, text: texts.get(id) ?? '', source: 'a page', also: [] }),
    });
    const [, quoted = ''] = /What the specification says:\n\n([^]*?)\n\nTo run/.exec(text) ?? [];
    expect(quoted).toMatch(/^ {2}- The rule follows IBTA 9\.9\.\n {2}- IBV_WC_RNR_RETRY_EXC_ERR arises/);
    expect(quoted).toContain('- What the rule allows for: It may be late.');
    expect(quoted).toMatch(/The rule rests on (?:rnr, )?(?:local|table)/);
    expect(quoted).not.toContain('IBV_WC_REM_INV_REQ_ERR');
  });

  it('say why no statement is quoted, where there is none', () => {
    const rules = [sampleRule({ verdict: 'fail', uncovered: 'the documents take it for granted' })];
    const failures = [{ ...sampleFailure, statements: [] }];
    const text = upstreamRun(sampleRun({ rules, failures }), context);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('the documents take it for granted.');
    expect(upstreamRun(sampleRun({ failures }), context)).not.toContain('What the specification says');
  });

  it('take no peer for the one who triggers what shows before a packet has come', () => {
    const scenario = { steps: [{ do: 'inject' }], faults: [] };
    const call = { t: 0, kind: 'verbs' as const, text: 'ibv_modify_qp', guilty: true };
    const packet = { t: 1, kind: 'to-dut' as const, text: 'SEND_ONLY' };
    const text = (observed: string, ladder: LadderLine[]): string =>
      upstreamRun(sampleRun({ failures: [{ ...sampleFailure, scenario, observed, ladder }] }), context);
    expect(text('it succeeds', [call, packet])).toContain('no packet of a peer');
    expect(text('it succeeds', [packet, call])).toContain('A peer can trigger it');
    // what never comes may be due for a packet behind the line that is marked
    expect(text('no event', [call, packet])).toContain('A peer can trigger it');
  });

  it('have the case beside them, where they are files', () => {
    const run = sampleRun({ failures: [{ ...sampleFailure, caseFile: 'cases/x.json' }] });
    const files = upstreamFiles(run, { ...context, adapter: 'rxe', caseText: () => '{}' });
    expect(files.map(({ name }) => name)).toEqual(['01-rc-request-ahead.txt', '01-rc-request-ahead.json']);
    expect(files[0]?.text).toContain('npx rdma-conform replay 01-rc-request-ahead.json --adapter rxe\n');
    const alone = upstreamRun(run, { ...context, caseText: () => '{}' });
    expect(alone).toContain('npx rdma-conform replay rc1.AbCd_-09');
  });

  it('name no rule under two headings', () => {
    const first = { rule: 'rc-request-ahead', signature: 'one', before: true };
    const state = { expected: 'state RTS', observed: 'state ERR' };
    const failures = [
      { ...sampleFailure, signature: 'one', ...state },
      { ...sampleFailure, rule: 'rc-memory-repeated', signature: 'one', ...state },
      { ...sampleFailure, rule: 'rc-memory-repeated', signature: 'two', also: [first] },
    ];
    const text = upstreamRun(sampleRun({ failures }), context);
    expect(text.match(/^ {2}- rc-memory-repeated/gm)).toHaveLength(1);
    expect(text).not.toContain('What follows from it');
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
