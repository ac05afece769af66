import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { encode } from '../../../wire/index.ts';
import { regionAddress, regionKey, TraceBuilder } from '../trace-builder.ts';

const rules = loadRules();
const judged = (trace: TraceBuilder) => judgeTrace(trace.header, trace.events, rules);
const violated = (trace: TraceBuilder) => judged(trace).violations.map((v) => v.rule);

/** A WRITE of `length` bytes at PSN 100 to the QP of the trace, with one byte of the frame changed. */
function frame(length: number, at = 0, xor = 0): Uint8Array {
  const bytes = encode({
    opcode: opcodeByName('RC_RDMA_WRITE_ONLY'),
    psn: 100,
    destQp: 0x11,
    srcIp: '10.0.0.2',
    dstIp: '10.0.0.1',
    ackReq: true,
    reth: { va: regionAddress, rkey: regionKey, dmaLen: length },
    payload: new Uint8Array(length),
  });
  bytes[at] = (bytes[at] ?? 0) ^ xor;
  return bytes;
}

function seen(direction: 'to-dut' | 'from-dut', bytes: Uint8Array): TraceBuilder {
  const trace = new TraceBuilder();
  trace.events.push({ kind: 'frame', t: 5, direction, frame: bytes });
  return trace;
}

describe('frames that are no packets', () => {
  it.each([
    ['frame-ethertype-wrong', 13],
    ['frame-ip-header-wrong', 14 + 11],
    ['frame-udp-header-wrong', 14 + 20 + 3],
  ])('%s: silence is right, an answer is not', (rule, at) => {
    const bytes = frame(4, at, 0x10);
    expect(violated(seen('to-dut', bytes).settle())).toEqual([]);
    expect(judged(seen('to-dut', bytes)).exercised.get(rule)).toBe(1);
    expect(violated(seen('to-dut', bytes).ack(100, 1))).toEqual([rule]);
    expect(violated(seen('to-dut', bytes).ack(100, 0, 0x60))).toEqual([rule]);
  });

  it('an oversized one may be lost, or taken for what it is', () => {
    const bytes = frame(9300);
    expect(violated(seen('to-dut', bytes).settle())).toEqual([]);
    expect(violated(seen('to-dut', bytes).ack(100, 0, 0x61).event('IBV_EVENT_QP_REQ_ERR').settle())).toEqual(
      [],
    );
    expect(violated(seen('to-dut', bytes).ack(100, 1))).not.toEqual([]);
  });

  it('none may leave the device', () => {
    expect(violated(seen('from-dut', frame(4, 14 + 20 + 5, 4)))).toEqual(['frame-sent-sound']);
  });
});

describe('READs that leave their region', () => {
  const aeth = { syndrome: 0x1f, msn: 0 };
  const read = (): TraceBuilder =>
    new TraceBuilder().request('RDMA_READ_REQUEST', 100, {
      reth: { va: regionAddress + 8192n - 600n, rkey: regionKey, dmaLen: 1024 },
    });
  const part = (trace: TraceBuilder): TraceBuilder =>
    trace
      .response('RDMA_READ_RESPONSE_FIRST', 100, { aeth, payload: new Uint8Array(256) })
      .response('RDMA_READ_RESPONSE_MIDDLE', 101, { payload: new Uint8Array(256) });

  it.each([
    ['at once', read, 100],
    ['in place of the response that cannot be sent', () => part(read()), 102],
  ])('are refused %s', (_, trace, psn) => {
    expect(violated(trace().ack(psn, 0, 0x62).event('IBV_EVENT_QP_ACCESS_ERR').settle())).toEqual([]);
  });

  it('are not refused with another PSN, nor answered beyond', () => {
    expect(violated(part(read()).ack(100, 0, 0x62))).toEqual(['rc-read-denied-midway']);
    const beyond = part(read()).response('RDMA_READ_RESPONSE_MIDDLE', 102, { payload: new Uint8Array(256) });
    expect(violated(beyond)).toEqual(['rc-read-denied-midway']);
  });
});

describe('responses that no request calls for', () => {
  it('are nobody else to blame for', () => {
    expect(violated(new TraceBuilder().ack(99, 0, 0x60))).toEqual(['rc-response-unasked']);
  });
});
