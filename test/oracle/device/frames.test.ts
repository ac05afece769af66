import { describe, expect, it } from 'vitest';
import { encode, udpChecksum } from '../../../wire/index.ts';
import { answer, packetFields, region, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

/** A WRITE of `length` bytes at PSN 100 to the QP of the trace, with one byte of the frame changed. */
function frame(length: number, at = 0, xor = 0): Uint8Array {
  const fields = { ...reth(length), ackReq: true, payload: new Uint8Array(length) };
  const bytes = encode(packetFields('RC', 'to-dut', 'RDMA_WRITE_ONLY', 100, fields));
  bytes[at] = (bytes[at] ?? 0) ^ xor;
  return bytes;
}

function seen(direction: 'to-dut' | 'from-dut', bytes: Uint8Array): RcTrace {
  return new RcTrace().add({ kind: 'frame', t: 5, direction, frame: bytes });
}

describe('frames that are no packets', () => {
  it.each([
    ['frame-ethertype-wrong', 13],
    ['frame-ip-header-wrong', 14 + 11],
    ['frame-ip-header-wrong', 14 + 7],
    ['frame-udp-header-wrong', 14 + 20 + 3],
  ])('%s: silence is right, an answer is not', (rule, at) => {
    const bytes = frame(4, at, 0x10);
    expect(seen('to-dut', bytes).settle().broken()).toEqual([]);
    expect(seen('to-dut', bytes).judge().exercised.get(rule)).toBe(1);
    expect(seen('to-dut', bytes).ack(0, 1).broken()).toEqual([rule]);
    expect(seen('to-dut', bytes).ack(0, 0, 0x60).broken()).toEqual([rule]);
  });

  it('are not blamed for an answer that comes behind another packet', () => {
    const bytes = frame(4, 14 + 20 + 3, 0x10);
    expect(seen('to-dut', bytes).acked(7).ack(-1, 0, 0x60).broken()).toEqual(['rc-response-unasked']);
  });

  it('an oversized one may be lost, or taken for what it is', () => {
    const bytes = frame(9300);
    expect(seen('to-dut', bytes).settle().broken()).toEqual([]);
    expect(seen('to-dut', bytes).ack(0, 0, 0x61).event('IBV_EVENT_QP_REQ_ERR').settle().broken()).toEqual([]);
    expect(seen('to-dut', bytes).ack(0, 1).broken()).not.toEqual([]);
  });

  it('one whose UDP checksum is neither 0 nor right may be discarded or taken', () => {
    const asked = { ...reth(4), ackReq: true, payload: new Uint8Array(4) };
    const right = udpChecksum(encode(packetFields('RC', 'to-dut', 'RDMA_WRITE_ONLY', 100, asked)));
    const sent = (sum: number): RcTrace =>
      new RcTrace().to('RDMA_WRITE_ONLY', 0, { ...asked, udpChecksum: sum });
    expect(
      sent(right ^ 1)
        .settle()
        .broken(),
    ).toEqual([]);
    expect(
      sent(right ^ 1)
        .judge()
        .exercised.get('frame-udp-checksum-wrong'),
    ).toBe(1);
    expect(
      sent(right ^ 1)
        .ack(0, 1)
        .settle()
        .broken(),
    ).toEqual([]);
    for (const sum of [0, right]) expect(sent(sum).settle().broken()).toContain('rc-write-complete-asked');
  });

  it('none may leave the device', () => {
    expect(seen('from-dut', frame(4, 14 + 20 + 5, 4)).broken()).toEqual(['frame-sent-sound']);
  });

  it('one that left the device may be what is missing, and nothing else is blamed for that', () => {
    const asked = (): RcTrace =>
      new RcTrace().to('RDMA_WRITE_ONLY', 0, { ...reth(4), ackReq: true, payload: new Uint8Array(4) });
    const cut = frame(4).subarray(0, -4);
    expect(asked().settle().broken()).toContain('rc-write-complete-asked');
    const trace = asked().add({ kind: 'frame', t: 5, direction: 'from-dut', frame: cut });
    expect(trace.settle().broken()).toEqual(['frame-sent-sound']);
    const [violation] = trace.judge().violations;
    expect(violation?.observed).toMatch(/ip-header \(the frame of \d+ bytes ends within the IP packet/);
  });
});

describe('READs that leave their region', () => {
  const read = (): RcTrace => new RcTrace().to('RDMA_READ_REQUEST', 0, reth(1024, region.length - 600));
  const part = (trace: RcTrace): RcTrace =>
    trace
      .from('RDMA_READ_RESPONSE_FIRST', 0, answer(0), { payload: new Uint8Array(256) })
      .from('RDMA_READ_RESPONSE_MIDDLE', 1, { payload: new Uint8Array(256) });

  it.each([
    ['at once', read, 0],
    ['in place of the response that cannot be sent', () => part(read()), 2],
  ])('are refused %s', (_, trace, at) => {
    expect(trace().ack(at, 0, 0x62).event('IBV_EVENT_QP_ACCESS_ERR').settle().broken()).toEqual([]);
  });

  it('are not refused with another PSN, nor answered beyond', () => {
    expect(part(read()).ack(0, 0, 0x62).broken()).toEqual(['rc-read-denied-midway']);
    const beyond = part(read()).from('RDMA_READ_RESPONSE_MIDDLE', 2, { payload: new Uint8Array(256) });
    expect(beyond.broken()).toEqual(['rc-read-denied-midway']);
  });
});

describe('responses that no request calls for', () => {
  it('are nobody else to blame for', () => {
    expect(new RcTrace().ack(-1, 0, 0x60).broken()).toEqual(['rc-response-unasked']);
  });
});
