import { describe, expect, it } from 'vitest';
import { ladder } from '../../suites/index.ts';
import type { TraceEvent } from '../../oracle/index.ts';
import { drawLadder } from '../../report/ladder/ladder.ts';
import { opcodeByName } from '../../spec/constants.ts';
import { decode, encode, type Packet, type PacketFields } from '../../wire/index.ts';

function packetOf(name: string, psn: number, more: Partial<PacketFields> = {}): Packet {
  const fields = { opcode: opcodeByName(name), destQp: 5, psn, payload: new Uint8Array(4) };
  const frame = encode({ ...fields, ...more });
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error('no packet');
  return decoded.packet;
}

function madeOf(qp: number, number: number): TraceEvent {
  const rest = { pd: 1, send_cq: 1, recv_cq: 1, max_recv_wr: 1, max_send_wr: 1 };
  return {
    kind: 'call',
    t: 0,
    start: 0,
    call: 'create_qp',
    qp,
    qp_num: number,
    qp_type: 'IBV_QPT_RC',
    ...rest,
  };
}

const region: TraceEvent = {
  kind: 'call',
  t: 0,
  start: 0,
  call: 'reg_mr',
  pd: 1,
  mr: 3,
  addr: 4096n,
  length: 64,
  lkey: 9,
  rkey: 9,
  access: [],
};

function posted(lkey: number, length: number): TraceEvent {
  const wr = { wr_id: 1000, opcode: 'IBV_WR_SEND' as const, sg_list: [{ addr: 4096n, length, lkey }] };
  return { kind: 'call', t: 1, start: 1, call: 'post_send', qp: 1, wr };
}

const connected: TraceEvent = {
  kind: 'call',
  t: 0,
  start: 0,
  call: 'modify_qp',
  qp: 1,
  attr: { qp_state: 'IBV_QPS_RTS', dest_qp_num: 5, timeout: 14, retry_cnt: 7 },
};

function textsOf(events: readonly TraceEvent[]): string[] {
  return ladder(events, undefined).map(({ text }) => text);
}

function sent(psn: number, t: number): TraceEvent {
  return { kind: 'packet', t, direction: 'from-dut', packet: packetOf('RC_SEND_ONLY', psn), number: 1 };
}

describe('the ladder of an exchange', () => {
  it('shows the attributes of ibv_modify_qp, and names QPs where there are several', () => {
    expect(textsOf([madeOf(1, 0x11), connected])).toEqual([
      'ibv_modify_qp IBV_QPS_RTS, dest_qp_num 0x000005, timeout 14, retry_cnt 7',
    ]);
    expect(textsOf([madeOf(2, 0x12), madeOf(1, 0x11), connected])[0]).toMatch(
      /^ibv_modify_qp QP B IBV_QPS_RTS/,
    );
  });

  it('shows what is unusual in a packet of the peer, and the fields that the finding is about', () => {
    const packet = packetOf('RC_SEND_ONLY', 0, { pkey: 0x1234, hopLimit: 1, resv7: 5 });
    const arrives: TraceEvent = { kind: 'packet', t: 1, direction: 'to-dut', packet, number: 1 };
    const text = (drive?: { wire: []; log: [] }, ...[expected, observed]: string[]): string | undefined => {
      const violation = {
        rule: 'r',
        event: 9,
        t: 0,
        qp: '',
        expected: expected ?? '',
        observed: observed ?? '',
      };
      return ladder([arrives], violation, drive)[0]?.text;
    };
    // in a trace of another sender, other hop limits are usual
    expect(text()).toMatch(/ P_Key 0x1234 reserved bits 0x00, 0x05$/);
    expect(text({ wire: [], log: [] })).toMatch(/ P_Key 0x1234 reserved bits 0x00, 0x05 TTL 1$/);
    const answers = { ...arrives, direction: 'from-dut' } as const;
    const own = (expected: string): string | undefined =>
      ladder([answers], { rule: 'r', event: 0, t: 0, qp: '', expected, observed: '' })[0]?.text;
    expect(own('MSN 1')).toMatch(/4 bytes$/);
    expect(own('P_Key 0xffff')).toMatch(/ P_Key 0x1234$/);
  });

  it('shows how many entries a CQ has that the exchange may fill', () => {
    const made = (cqe: number): TraceEvent => ({
      kind: 'call',
      t: 0,
      start: 0,
      call: 'create_cq',
      cq: 2,
      cqe,
    });
    const shown = (cqe: number): string | undefined => textsOf([made(cqe), region, posted(9, 8)])[0];
    expect(shown(1)).toBe('ibv_create_cq CQ 2, 1 entry');
    expect(shown(2)).toMatch(/^ibv_reg_mr/);
  });

  it('shows an address that is not that of the path', () => {
    const ah_attr = { dgid: '00000000000000000000ffff0a000001', sgid_index: 0 };
    const made = { ...connected, attr: { ...connected.attr, dest_qp_num: 1, ah_attr } } as TraceEvent;
    const from = (srcIp: string): string | undefined => {
      const packet = packetOf('RC_SEND_ONLY', 0, { srcIp, destQp: 0x11 });
      const arrives: TraceEvent = { kind: 'packet', t: 1, direction: 'to-dut', packet, number: 1 };
      return textsOf([madeOf(1, 0x11), made, arrives]).at(-1);
    };
    expect(from('10.0.0.1')).toMatch(/4 bytes$/);
    expect(from('10.0.0.77')).toMatch(/ from 10\.0\.0\.77$/);
  });

  it('shows where the path of a QP goes', () => {
    const ah_attr = { dgid: '00000000000000000000ffff0a4d0002', sgid_index: 0 };
    const moved = { ...connected, attr: { ah_attr } } as TraceEvent;
    expect(textsOf([madeOf(1, 0x11), moved])).toEqual(['ibv_modify_qp ah_attr to 10.77.0.2']);
    const made: TraceEvent = {
      kind: 'call',
      t: 0,
      start: 0,
      call: 'create_ah',
      pd: 1,
      ah: 4,
      attr: { ...ah_attr, dgid: 'fd770000000000000000000000000002' },
    };
    expect(textsOf([made])).toEqual(['ibv_create_ah AH 4 to fd77::2']);
  });

  it('says which user context an event came to', () => {
    const event = { event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 } as const;
    expect(
      textsOf([
        { kind: 'async', t: 0, event },
        { kind: 'second-context', t: 0, event },
      ]),
    ).toEqual(['IBV_EVENT_PORT_ERR', 'second context: IBV_EVENT_PORT_ERR']);
  });

  it('shows what is wrong with the memory of a work request', () => {
    const text = (lkey: number, length: number): string | undefined =>
      textsOf([madeOf(1, 0x11), region, posted(lkey, length)]).at(-1);
    expect(text(9, 64)).toBe('ibv_post_send wr_id 1000 IBV_WR_SEND, 64 bytes, not signaled');
    expect(text(7, 64)).toContain('64 bytes, lkey 0x7 of no region');
    expect(text(9, 65)).toContain('65 bytes, reaches beyond MR 3');
    const elsewhere = { ...region, pd: 2 } as TraceEvent;
    expect(textsOf([madeOf(1, 0x11), elsewhere, posted(9, 8)]).at(-1)).toContain(
      '8 bytes, lkey of MR 3, in another PD',
    );
    const recv: TraceEvent = {
      kind: 'call',
      t: 1,
      start: 1,
      call: 'post_recv',
      qp: 1,
      wr: { wr_id: 1, sg_list: [{ addr: 4096n, length: 8, lkey: 9 }] },
    };
    expect(textsOf([madeOf(1, 0x11), region, recv]).at(-1)).toBe(
      'ibv_post_recv wr_id 1, 8 bytes, lkey of MR 3, which may not be written to',
    );
    const gone: TraceEvent = { kind: 'call', t: 0, start: 0, call: 'dereg_mr', mr: 3 };
    expect(textsOf([madeOf(1, 0x11), region, gone, posted(9, 8)]).at(-1)).toContain(
      'lkey of MR 3, deregistered',
    );
  });

  it('holds a request that is sent again against its timer', () => {
    const texts = textsOf([madeOf(1, 0x11), connected, sent(7, 1000), sent(7, 66_101_000)]);
    expect(texts.at(-1)).toMatch(/, again after 66\.100 ms \(T 67\.108864 ms\)$/);
    expect(texts.at(-2)).not.toContain('again');
  });

  it('says which responses have a PSN that was never sent', () => {
    const answer = (psn: number): TraceEvent => ({
      kind: 'packet',
      t: 9000,
      direction: 'to-dut',
      packet: packetOf('RC_ACKNOWLEDGE', psn, {
        destQp: 0x11,
        aeth: { syndrome: 0x1f, msn: 1 },
        payload: new Uint8Array(0),
      }),
      number: 3,
    });
    const said = (...events: readonly TraceEvent[]): boolean =>
      textsOf([madeOf(1, 0x11), connected, ...events])
        .at(-1)
        ?.endsWith(', PSN never sent') === true;
    expect(said(sent(7, 1000), answer(8))).toBe(true);
    expect(said(sent(0xffffff, 1000), answer(0))).toBe(true);
    expect(said(sent(7, 1000), answer(7))).toBe(false);
    expect(said(sent(7, 1000), answer(6))).toBe(false);
    // a READ has the PSNs of its responses
    const mtu = { ...connected, attr: { path_mtu: 256 as const } } as TraceEvent;
    const read = (dmaLen: number): TraceEvent => ({
      kind: 'packet',
      t: 1000,
      direction: 'from-dut',
      packet: packetOf('RC_RDMA_READ_REQUEST', 7, {
        reth: { va: 0n, rkey: 1, dmaLen },
        payload: new Uint8Array(0),
      }),
      number: 1,
    });
    expect(said(mtu, read(513), answer(9))).toBe(false);
    expect(said(mtu, read(513), answer(10))).toBe(true);
    expect(said(mtu, read(0), answer(8))).toBe(true);
  });

  it('takes another operation with a PSN that was used for no repetition', () => {
    const read: TraceEvent = {
      kind: 'packet',
      t: 5000,
      direction: 'from-dut',
      packet: packetOf('RC_RDMA_READ_REQUEST', 7),
      number: 2,
    };
    expect(textsOf([madeOf(1, 0x11), connected, sent(7, 1000), read]).at(-1)).not.toContain('again');
  });

  it('takes a PSN of an earlier life for that of another packet', () => {
    const reset = { ...connected, t: 2000, attr: { qp_state: 'IBV_QPS_RESET' as const } };
    const life = [madeOf(1, 0x11), connected, sent(7, 1000)];
    const texts = textsOf([...life, reset, { ...connected, t: 3000 }, sent(7, 4000), sent(7, 5000)]);
    expect(texts.at(-2)).not.toContain('again');
    expect(texts.at(-1)).toContain(', again after 1.000 us');
  });

  it('draws a packet that the wire dropped, and says what it did to others', () => {
    const lost = {
      t: 500,
      direction: 'to-dut',
      packet: packetOf('RC_SEND_FIRST', 6),
      fate: { what: 'dropped', lost: true },
    } as const;
    const own = sent(7, 1000);
    const late = {
      t: 1000,
      direction: 'from-dut',
      packet: packetOf('RC_SEND_ONLY', 7),
      fate: { what: 'delayed by 5 us', lost: false },
    } as const;
    const lines = ladder([own], undefined, { wire: [lost, late], log: [] });
    expect(lines.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^RC SEND_FIRST psn 6 .*: dropped by the wire$/),
      expect.stringMatching(/^RC SEND_ONLY psn 7 .*: delayed by 5 us by the wire$/),
    ]);
    expect(lines.map((line) => line.lost === true)).toEqual([true, false]);
    const drawn = drawLadder(lines, 100);
    expect(drawn[1]).toMatch(/-x +\|$/);
    expect(drawn[2]).toMatch(/\| <-/);
    for (const line of drawn) expect(line.length).toBe(drawn[1]?.length ?? 0);
  });

  it('shows what the machine of the device logged, at its time, and the head of a long log', () => {
    const sent = (psn: number, t: number): TraceEvent => ({
      kind: 'packet',
      t,
      direction: 'to-dut',
      packet: packetOf('RC_SEND_ONLY', psn),
      number: psn,
    });
    const log = Array.from({ length: 40 }, (_, i) => ({ t: 150 + i, text: `line ${i}` }));
    const texts = (count: number): string[] =>
      ladder([sent(1, 100), sent(2, 200)], undefined, { wire: [], log: log.slice(0, count) }).map(
        ({ kind, text }) => (kind === 'note' ? text : kind),
      );
    expect(texts(2)).toEqual(['to-dut', 'log: line 0', 'log: line 1', 'to-dut']);
    expect(texts(40)).toHaveLength(11);
    expect(texts(40).at(-2)).toBe('log: 32 lines more');
  });

  it('shows a line of the log behind what brought it about, where many things have one time', () => {
    const sent = (psn: number): TraceEvent => ({
      kind: 'packet',
      t: 5,
      direction: 'to-dut',
      packet: packetOf('RC_SEND_ONLY', psn),
      number: psn,
    });
    const [first, second, third] = [sent(1), sent(2), sent(3)];
    const log = [{ t: 5, text: 'assertion failed', behind: second }];
    const lines = ladder([first, second, third], undefined, { wire: [], log });
    expect(lines.map(({ kind }) => kind)).toEqual(['to-dut', 'to-dut', 'note', 'to-dut']);
  });

  it('leaves out what a log says of QPs of other scenarios', () => {
    const named = [0x11, 0x12].map((number) => ({ t: 1, text: `rxe0: qp#${number} do_complete: error` }));
    const log = [...named, { t: 2, text: 'do_complete: 24 callbacks suppressed' }];
    const lines = ladder([madeOf(1, 0x11)], undefined, { wire: [], log });
    expect(lines.map(({ text }) => text)).toEqual(['log: rxe0: qp#17 do_complete: error']);
  });

  it('shows what a log says several times once, and how often it does', () => {
    const log = [1, 2, 3].flatMap((t) => [
      { t, text: 'speed is unknown' },
      ...(t === 2 ? [{ t, text: 'something else' }] : []),
    ]);
    expect(ladder([], undefined, { wire: [], log }).map(({ text }) => text)).toEqual([
      'log: speed is unknown (3 times until the end)',
      'log: something else',
    ]);
  });
});

describe('what did not come', () => {
  const missing = {
    rule: 'r',
    event: 2,
    t: 400,
    qp: '',
    expected: 'IBV_WC_SUCCESS',
    observed: 'no completion',
  };
  const rest = (t: number): TraceEvent => ({ kind: 'settled', t });
  const late: TraceEvent = {
    kind: 'completion',
    t: 700,
    cq: 1,
    wc: { wr_id: 1000, status: 'IBV_WC_SUCCESS', qp_num: 5 },
  };
  const texts = (events: readonly TraceEvent[], violation = missing): string[] =>
    ladder([madeOf(1, 5), region, posted(9, 8), ...events], violation).map(({ text }) => text);

  it('is judged where the device had come to rest, though it may come later', () => {
    const [, first, second, third] = texts([rest(100), rest(400), late, rest(900)]);
    expect(first).toMatch(/^ibv_post_send wr_id 1000/);
    expect(second).toBe('judged here: no completion');
    expect(third).toMatch(/^completion wr_id 1000/);
  });

  it('needs no such line at the end, nor where something came', () => {
    expect(texts([rest(100), rest(400)]).join()).not.toContain('judged here');
    const wrong = { ...missing, observed: 'IBV_WC_WR_FLUSH_ERR' };
    expect(texts([rest(400), late], wrong).join()).not.toContain('judged here');
  });
});
