import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../oracle/index.ts';
import { count, noCounts, type Counts } from '../../scripts/statistics/count.ts';
import { coveredGrids } from '../../scripts/statistics/grids.ts';
import { page } from '../../scripts/statistics/page.ts';
import { properties } from '../../suites/index.ts';
import { opcodeByName } from '../../spec/constants.ts';
import { decode, encode } from '../../wire/index.ts';
import type { PacketFields } from '../../wire/packet.ts';
import { profile } from '../suites/profile.ts';

/** The QP of the device, and that of its peer. */
const [own, far] = [0x11, 0x22];
let number = 0;

function packet(
  direction: 'to-dut' | 'from-dut',
  name: string,
  more: Partial<PacketFields> = {},
): TraceEvent {
  const destQp = direction === 'to-dut' ? own : far;
  const decoded = decode(encode({ opcode: opcodeByName(name), destQp, psn: 0, ...more }));
  if (decoded.kind !== 'packet') throw new Error(`no packet: ${name}`);
  return { kind: 'packet', t: 0, direction, packet: decoded.packet, number: number++ };
}

function modified(state: 'RTR' | 'SQD' | 'ERR' | 'RESET'): TraceEvent {
  const attr = { qp_state: `IBV_QPS_${state}`, ...(state === 'RTR' && { dest_qp_num: far }) } as const;
  return { kind: 'call', t: 0, start: 0, call: 'modify_qp', qp: 1, attr };
}

const made: TraceEvent = {
  kind: 'call',
  t: 0,
  start: 0,
  call: 'create_qp',
  pd: 1,
  qp: 1,
  qp_num: own,
  qp_type: 'IBV_QPT_RC',
  send_cq: 1,
  recv_cq: 1,
  max_recv_wr: 1,
  max_send_wr: 1,
};
const rest: TraceEvent = { kind: 'settled', t: 0 };

function counted(...events: TraceEvent[]): Counts {
  const counts = noCounts();
  const header = { sight: { packets: 'at-device', verbs: true }, clock: 'virtual' } as const;
  count(counts, 'a/b', {
    header,
    events: [made, modified('RTR'), ...events],
    peerCompletions: [],
    wire: [],
    log: [],
  });
  return counts;
}

const calls = ({ calls: all }: Counts, name: string): object => Object.fromEntries(all.get(name) ?? []);

describe('statistics of a run', () => {
  it.each([
    { phase: 'at rest', before: [] },
    { phase: 'at rest', before: [packet('to-dut', 'RC_SEND_ONLY'), rest] },
    { phase: 'other traffic', before: [packet('to-dut', 'RC_SEND_ONLY')] },
    { phase: 'message in, part', before: [packet('to-dut', 'RC_SEND_FIRST'), rest] },
    { phase: 'message out, part', before: [packet('from-dut', 'RC_SEND_FIRST')] },
    { phase: 'READ answer, part', before: [packet('to-dut', 'RC_RDMA_READ_RESPONSE_FIRST')] },
    { phase: 'no answer yet', before: [packet('from-dut', 'RC_SEND_ONLY'), rest] },
    {
      phase: 'RNR wait',
      before: [packet('to-dut', 'RC_ACKNOWLEDGE', { aeth: { syndrome: 0x2c, msn: 0 } }), rest],
    },
  ])('a call is made $phase', ({ phase, before }) => {
    expect(calls(counted(...before, modified('SQD')), 'modify_qp SQD')).toEqual({ [phase]: 1 });
  });

  it('pairs are what comes one after the other without a rest between, once in a case', () => {
    const nak = packet('to-dut', 'RC_ACKNOWLEDGE', { aeth: { syndrome: 0x60, msn: 0 } });
    const { pairs } = counted(nak, modified('SQD'), nak, modified('SQD'), rest, modified('ERR'));
    const all = [...pairs].flatMap(([a, by]) => [...by].map(([b, n]) => `${a}, ${b}: ${n}`));
    expect(all.toSorted()).toEqual([
      'SQD, SQD: 1',
      'SQD, sequence NAK: 1',
      'sequence NAK, SQD: 1',
      'sequence NAK, sequence NAK: 1',
    ]);
  });

  it('has a page that counts pairs that never met, of both runs', () => {
    const nak = packet('to-dut', 'RC_ACKNOWLEDGE', { aeth: { syndrome: 0x60, msn: 0 } });
    const [byDefault, thorough] = [counted(nak, modified('SQD')), counted(nak, modified('SQD'), nak)];
    const text = page({ byDefault, thorough, grids: [], seed: 3 });
    expect(text).toContain('The default run met 1 of 4 ordered pairs, the thorough one 3 of 4.');
    expect(text).toContain('did not meet:\n\n- SQD, then SQD\n');
    expect(text).toContain('| QPs | default | thorough |\n| --- | --: | --: |\n| 1 | 1 | 1 |');
    expect(text).toContain('| a | 1 | 1 | 1 | 1 | 1 |');
  });

  it('counts the cells of a grid that the cases of a property took', () => {
    const id = 'rc-requester/read-window';
    const given = [new Map([[id, 3]]), new Map([[id, 40]]), new Map<string, number>()];
    const found = coveredGrids(properties, profile, 1, given).filter(({ property }) => property === id);
    expect(found).toEqual([{ property: id, grid: 'max_rd_atomic', cells: 16, runs: 3, tried: [3, 16, 0] }]);
  });
});
