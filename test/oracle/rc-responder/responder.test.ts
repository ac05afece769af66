import { describe, expect, it } from 'vitest';
import { counting, fetchAdd, reth, answer, type Fields } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

describe('what a conformant responder may do', () => {
  it('acknowledges a SEND and completes its receive WQE', () => {
    const trace = new RcTrace()
      .recv()
      .to('SEND_ONLY', 0, { payload: counting(8) })
      .ack(0, 1)
      .received(1, 8)
      .settle();
    expect(trace.judge().violations).toEqual([]);
    expect(trace.judge().exercised.get('rc-send-complete-asked')).toBe(1);
  });

  it('coalesces Acknowledges into a later one', () => {
    const trace = new RcTrace();
    for (const at of [0, 1, 2]) trace.to('RDMA_WRITE_ONLY', at, { ...reth(4), payload: counting(4) });
    expect(trace.ack(2, 3).settle().broken()).toEqual([]);
  });

  it('wraps the PSN', () => {
    const trace = new RcTrace({}, { psn: 0xffffff })
      .to('RDMA_WRITE_FIRST', 0, { ...reth(300), payload: counting(256), ackReq: false })
      .to('RDMA_WRITE_LAST', 1, { payload: counting(44) })
      .ack(1, 1)
      .to('RDMA_WRITE_LAST', 1, { payload: counting(44) })
      .ack(1, 1)
      .memory(0, Uint8Array.from([...counting(256), ...counting(44)]))
      .settle();
    expect(trace.broken()).toEqual([]);
  });

  it.each<[string, string, number, Fields]>([
    ['a SEND that fills more than the path MTU', 'SEND_ONLY', 260, {}],
    ['a Middle packet that does not fill it', 'SEND_MIDDLE', 8, {}],
    ['a WRITE that announces another length', 'RDMA_WRITE_ONLY', 16, reth(32)],
  ])('acknowledges or drops a duplicate that is malformed: %s', (_, operation, length, fields) => {
    const again = (): RcTrace =>
      new RcTrace()
        .recv()
        .to('SEND_ONLY', 0, { payload: counting(8) })
        .ack(0, 1)
        .received(1, 8)
        .settle()
        .to(operation, 0, fields, { payload: counting(length) });
    expect(again().settle().broken()).toEqual([]);
    expect(again().ack(0, 1).settle().broken()).toEqual([]);
    expect(again().ack(0, 1, 0x61).settle().broken()).not.toEqual([]);
  });

  it('acknowledges or refuses a SEND that races with ibv_post_recv', () => {
    const late = new RcTrace().to('SEND_ONLY', 0, { payload: counting(8) }).recv();
    expect(late.ack(0, 1).received(1, 8).settle().broken()).toEqual([]);
    const early = new RcTrace().to('SEND_ONLY', 0, { payload: counting(8) }).recv();
    expect(early.ack(0, 0, 0x2c).settle().broken()).toEqual([]);
  });

  it('answers an ATOMIC once and replays its result', () => {
    const trace = new RcTrace()
      .to('FETCH_ADD', 0, fetchAdd(5n))
      .from('ATOMIC_ACKNOWLEDGE', 0, { ...answer(1), atomicOriginal: 0n })
      .to('FETCH_ADD', 0, fetchAdd(5n))
      .from('ATOMIC_ACKNOWLEDGE', 0, { ...answer(1), atomicOriginal: 0n })
      .settle()
      .memory(0, Uint8Array.from([5, 0, 0, 0, 0, 0, 0, 0]));
    expect(trace.broken()).toEqual([]);
  });

  it('chooses either of two faults found at once', () => {
    for (const [syndrome, event] of [
      [0x61, 'IBV_EVENT_QP_REQ_ERR'],
      [0x62, 'IBV_EVENT_QP_ACCESS_ERR'],
    ] as const) {
      const trace = new RcTrace()
        .to('RDMA_WRITE_ONLY', 0, { ...reth(5, 0, 1), payload: counting(4) })
        .ack(0, 0, syndrome)
        .event(event)
        .settle();
      expect(trace.broken()).toEqual([]);
    }
  });
});

describe('messages longer than max_msg_sz of the port', () => {
  const limited = (): RcTrace => {
    const attr = { state: 'IBV_PORT_ACTIVE', max_msg_sz: 512, active_mtu: 256 } as const;
    return new RcTrace().recv(2048).call({ call: 'query_port', attr });
  };
  const send = (trace: RcTrace): RcTrace =>
    trace
      .to('SEND_FIRST', 0, { payload: counting(256), ackReq: false })
      .to('SEND_MIDDLE', 1, { payload: counting(256), ackReq: false })
      .to('SEND_LAST', 2, { payload: counting(8) });
  const refused = (trace: RcTrace): RcTrace => trace.ack(0, 0, 0x61).event('IBV_EVENT_QP_REQ_ERR');

  it('are refused or carried out', () => {
    expect(send(limited()).ack(2, 1).received(1, 520).settle().broken()).toEqual([]);
    expect(send(limited()).ack(2, 0, 0x61).done(1, 'IBV_WC_LOC_LEN_ERR').settle().broken()).toEqual([]);
    const write = { ...reth(520), payload: counting(256) };
    expect(limited().to('RDMA_WRITE_FIRST', 0, write).ack(0, 0).settle().broken()).toEqual([]);
    const flushed = (trace: RcTrace): RcTrace => refused(trace).done(1, 'IBV_WC_WR_FLUSH_ERR').settle();
    expect(flushed(limited().to('RDMA_WRITE_FIRST', 0, write)).broken()).toEqual([]);
    expect(flushed(limited().to('RDMA_READ_REQUEST', 0, reth(520))).broken()).toEqual([]);
  });

  it('are not refused as long as that, or as something else', () => {
    const short = limited().to('RDMA_READ_REQUEST', 0, reth(512));
    expect(refused(short).broken()).toContain('rc-read-executed');
    expect(send(new RcTrace().recv(2048)).ack(2, 0, 0x61).broken()).toContain('rc-send-complete-asked');
    expect(send(limited()).ack(2, 0, 0x63).broken()).toEqual(['rc-send-too-long']);
  });
});

describe('choices that the rules leave', () => {
  const unasked = (at: number) => (trace: RcTrace) =>
    trace.to('RDMA_WRITE_ONLY', at, { ...reth(4), payload: counting(4), ackReq: false });

  it('are counted by what the device did, and by what it left', () => {
    const trace = unasked(1)(unasked(0)(new RcTrace()).ack(0, 1)).settle();
    expect(Object.fromEntries(trace.judge().observed.get('rc-write-complete-unasked') ?? [])).toEqual({
      Acknowledge: 1,
      'no response': 1,
    });
  });

  it('are counted along the way that explains the trace, not the one thought likelier at first', () => {
    const trace = new RcTrace({}, { access: ['IBV_ACCESS_LOCAL_WRITE'] })
      .to('RDMA_WRITE_ONLY', 0, { ...reth(4), payload: counting(4) })
      .ack(0, 0, 0x62)
      .event('IBV_EVENT_QP_ACCESS_ERR')
      .settle();
    expect(trace.broken()).toEqual([]);
    expect(Object.fromEntries(trace.judge().observed.get('rc-request-disabled') ?? [])).toEqual({
      'NAK Remote access error': 1,
    });
  });
});

describe('what it may not do', () => {
  const write = { ...reth(4), payload: counting(4) };

  it('stay silent when asked', () => {
    const trace = new RcTrace().to('RDMA_WRITE_ONLY', 0, { ...reth(4), payload: counting(4) });
    expect(trace.settle().broken()).toEqual(['rc-write-complete-asked']);
  });

  it('send anything behind the NAK that ends the connection, not even an Acknowledge once more', () => {
    const carriedOut = () => new RcTrace().to('RDMA_WRITE_ONLY', 0, write).ack(0, 1);
    const refused = () => carriedOut().to('RDMA_WRITE_ONLY', 1, { ...write, ...reth(4, 0, 1) });
    expect(refused().ack(0, 1).ack(1, 1, 0x62).broken()).toEqual([]);
    const ended = () => refused().ack(1, 1, 0x62);
    expect(ended().ack(0, 1).broken()).toEqual(['rc-remote-access-denied']);
    expect(ended().to('RDMA_WRITE_ONLY', 0, write).ack(0, 1).broken()).toEqual(['rc-drop-state']);
  });

  it('acknowledge a READ or ATOMIC behind its answer', () => {
    const read = () =>
      new RcTrace()
        .to('RDMA_WRITE_ONLY', 0, write)
        .ack(0, 1)
        .to('RDMA_READ_REQUEST', 1, reth(4))
        .from('RDMA_READ_RESPONSE_ONLY', 1, { ...answer(2), payload: counting(4) });
    expect(read().settle().broken()).toEqual([]);
    expect(read().settle().ack(1, 2).broken()).toEqual(['rc-response-unasked']);
    expect(read().settle().ack(0, 2).broken()).toEqual(['rc-response-unasked']);
    const added = new RcTrace()
      .to('FETCH_ADD', 0, fetchAdd(5n))
      .from('ATOMIC_ACKNOWLEDGE', 0, { ...answer(1), atomicOriginal: 0n });
    expect(added.settle().ack(0, 1).broken()).toEqual(['rc-response-unasked']);
    // an Acknowledge once more says nothing new
    const twice = new RcTrace().to('RDMA_WRITE_ONLY', 0, write).ack(0, 1).ack(0, 1);
    expect(twice.settle().broken()).toEqual([]);
  });

  it('set bits that are reserved, or that mean nothing in a response', () => {
    const asked = () => new RcTrace().to('RDMA_WRITE_ONLY', 0, write);
    const saying = (fields: Fields) => asked().ack(0, 1, undefined, fields).settle().broken();
    expect(saying({})).toEqual([]);
    expect(saying({ resv6: 1 })).toEqual(['rc-response-header']);
    expect(saying({ resv7: 0x40 })).toEqual(['rc-response-header']);
    for (const bit of ['solicited', 'ackReq', 'fecn'])
      expect(saying({ [bit]: true })).toEqual(['rc-response-idle-bits']);
    expect(saying({ becn: true })).toEqual([]);
  });

  it('send a second NAK before the expected PSN has come', () => {
    const trace = new RcTrace()
      .to('RDMA_WRITE_ONLY', 2, { ...reth(4), payload: counting(4) })
      .ack(0, 0, 0x60)
      .to('RDMA_WRITE_ONLY', 3, { ...reth(4), payload: counting(4) })
      .ack(0, 0, 0x60);
    expect(trace.broken()).toEqual(['rc-request-ahead-after-sequence-nak']);
  });

  it('count packets in the MSN', () => {
    const trace = new RcTrace()
      .to('RDMA_WRITE_FIRST', 0, { ...reth(300), payload: counting(256) })
      .ack(0, 0)
      .to('RDMA_WRITE_LAST', 1, { payload: counting(44) })
      .ack(1, 2)
      .settle();
    expect(trace.broken()).toEqual(['rc-msn-counts-messages']);
  });

  it('write a duplicate again', () => {
    const trace = new RcTrace()
      .to('RDMA_WRITE_ONLY', 0, { ...reth(4), payload: counting(4, 1) })
      .ack(0, 1)
      .to('RDMA_WRITE_ONLY', 1, { ...reth(4), payload: counting(4, 50) })
      .ack(1, 2)
      .to('RDMA_WRITE_ONLY', 0, { ...reth(4), payload: counting(4, 1) })
      .ack(1, 2)
      .settle()
      .memory(0, counting(4, 1));
    expect(trace.broken()).toEqual(['rc-memory-repeated']);
  });

  it('answer a READ with other data than the memory holds', () => {
    const trace = new RcTrace()
      .to('RDMA_READ_REQUEST', 0, reth(4))
      .from('RDMA_READ_RESPONSE_ONLY', 0, { ...answer(1), payload: counting(4, 9) })
      .settle();
    expect(trace.broken()).toEqual(['rc-read-data']);
  });

  it('answer a READ of several packets by the wrong opcodes', () => {
    const zeros = new Uint8Array(256);
    const trace = new RcTrace()
      .to('RDMA_READ_REQUEST', 0, reth(512))
      .from('RDMA_READ_RESPONSE_ONLY', 0, { ...answer(1), payload: zeros });
    expect(trace.broken()).toEqual(['rc-read-executed']);
  });

  it('answer what header validation must drop', () => {
    const bad = new RcTrace().to('RDMA_WRITE_ONLY', 0, {
      ...reth(4),
      payload: counting(4),
      icrcXor: 1,
    });
    expect(bad.ack(0, 1).broken()).toEqual(['rc-drop-bad-icrc']);
    const pkey = new RcTrace().to('RDMA_WRITE_ONLY', 0, {
      ...reth(4),
      payload: counting(4),
      pkey: 0x1234,
    });
    expect(pkey.ack(0, 1).broken()).toEqual(['rc-drop-pkey']);
  });

  it('stay in RTS after a fatal NAK, or report the fault in two ways', () => {
    const trace = new RcTrace()
      .to('RDMA_WRITE_ONLY', 0, { ...reth(4, 0, 1), payload: counting(4) })
      .ack(0, 0, 0x62)
      .event('IBV_EVENT_QP_ACCESS_ERR')
      .settle();
    expect(trace.state('IBV_QPS_RTS').broken()).toEqual(['rc-state-after-fault']);
    expect(trace.event('IBV_EVENT_QP_ACCESS_ERR').broken()).toContain('rc-event-undue');
  });

  it('take what is for the address of another device', () => {
    const write = (dstIp: string): RcTrace =>
      new RcTrace().to('RDMA_WRITE_ONLY', 0, { ...reth(4), payload: counting(4), dstIp });
    expect(write('10.0.0.9').settle().broken()).toEqual([]);
    expect(write('10.0.0.9').ack(0, 1).broken()).toEqual(['rc-drop-foreign-destination']);
    // one that the port was given besides, and one of a group, may be for it
    const gid = '00000000000000000000ffff0a000009';
    const given = new RcTrace().add({ kind: 'gid', t: 0, start: 0, gid, present: true });
    const fields = { ...reth(4), payload: counting(4), dstIp: '10.0.0.9' };
    expect(given.to('RDMA_WRITE_ONLY', 0, fields).ack(0, 1).broken()).toEqual([]);
    expect(write('224.0.0.9').ack(0, 1).broken()).toEqual([]);
    const unknown = new RcTrace({}, { header: { dut: { addresses: ['fd00::1'] } } });
    expect(unknown.to('RDMA_WRITE_ONLY', 0, fields).ack(0, 1).broken()).toEqual([]);
    // whatever form they are written in
    const written = (own: string): RcTrace =>
      new RcTrace({}, { header: { dut: { addresses: [own] } } })
        .to('RDMA_WRITE_ONLY', 0, { ...reth(4), payload: counting(4), srcIp: 'fd00::2', dstIp: 'fd00::1' })
        .settle();
    expect(written('FD00:0::0001').judge().exercised.has('rc-drop-foreign-destination')).toBe(false);
    expect(written('fd00::3').judge().exercised.get('rc-drop-foreign-destination')).toBe(1);
    expect(written('nowhere').judge().exercised.has('rc-drop-foreign-destination')).toBe(false);
    const answered = new RcTrace().posts('IBV_WR_SEND').sends(0);
    expect(answered.to('ACKNOWLEDGE', 0, answer(0), { dstIp: '10.0.0.9' }).sent(1).broken()).toEqual([
      'rc-send-unacknowledged',
    ]);
  });

  it('report a refused request by the event of a QP that has failed for good', () => {
    const refused = new RcTrace()
      .to('RDMA_WRITE_ONLY', 0, { ...reth(4, 0, 1), payload: counting(4) })
      .ack(0, 0, 0x62);
    expect(refused.event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual(['rc-report-access-unbound']);
    // by itself a QP may fail for good at any time, and owes nothing then
    const own = new RcTrace().recv().event('IBV_EVENT_QP_FATAL');
    expect(
      own
        .to('SEND_ONLY', 0, { payload: counting(8) })
        .settle()
        .broken(),
    ).toEqual([]);
  });

  it('complete a receive twice', () => {
    const trace = new RcTrace()
      .recv()
      .to('SEND_ONLY', 0, { payload: counting(8) })
      .ack(0, 1)
      .received(1, 8)
      .received(1, 8);
    expect(trace.broken()).toEqual(['rc-receive-undue']);
  });
});
