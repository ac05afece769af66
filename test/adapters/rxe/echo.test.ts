import { describe, expect, it } from 'vitest';
import type { Wire } from '../../../adapters/adapter.ts';
import { guestIpv4, guestMac } from '../../../adapters/agent/machine.ts';
import { echoing, echoReply, echoRequest } from '../../../adapters/rxe/echo.ts';
import { formatIpv4, formatMac } from '../../../wire/index.ts';

/** What the kernel makes of an echo request: both addresses swapped, type 0, checksums mended by their difference. */
function replyTo(request: Uint8Array): Uint8Array {
  const frame = Buffer.from(request);
  const swap = (a: number, b: number, length: number): void => {
    const first = Buffer.from(frame.subarray(a, a + length));
    frame.copyWithin(a, b, b + length);
    first.copy(frame, b);
  };
  swap(0, 6, 6);
  swap(26, 30, 4);
  frame[34] = 0;
  frame.writeUInt16BE((frame.readUInt16BE(36) + 0x0800) % 0xffff, 36);
  return frame;
}

function sumOf(bytes: Uint8Array): number {
  const view = Buffer.from(bytes);
  let sum = 0;
  for (let i = 0; i < view.length; i += 2) sum += view.readUInt16BE(i);
  return (sum % 0xffff) + (sum > 0 && sum % 0xffff === 0 ? 0xffff : 0);
}

function bench(): { wire: Wire; echo: () => Promise<void>; setEchoes: (on: boolean) => void } & {
  sent: Uint8Array[];
  arrive: (frame: Uint8Array) => void;
  seen: Uint8Array[];
} {
  const sent: Uint8Array[] = [];
  const seen: Uint8Array[] = [];
  let arrive: (frame: Uint8Array) => void = () => undefined;
  const parts = echoing({
    send: (frame) => void sent.push(frame),
    onFrame: (listener) => {
      arrive = (frame) => listener(frame, 0);
    },
  });
  parts.wire.onFrame((frame) => void seen.push(frame));
  return { ...parts, sent, seen, arrive: (frame) => arrive(frame) };
}

const settled = async (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);

describe('echoes of a machine', () => {
  it('ask the guest in the name of its peer, with sound checksums', () => {
    const frame = echoRequest(7);
    expect(frame).toHaveLength(60);
    expect([formatMac(frame, 0), formatMac(frame, 6)]).toEqual([guestMac(1), guestMac(2)]);
    expect([formatIpv4(frame, 26), formatIpv4(frame, 30)]).toEqual([guestIpv4(2), guestIpv4(1)]);
    expect(sumOf(frame.subarray(14, 34))).toBe(0xffff);
    expect(sumOf(frame.subarray(34))).toBe(0xffff);
    expect(sumOf(replyTo(frame).subarray(34))).toBe(0xffff);
    expect(echoReply(frame)).toBeUndefined();
    expect(echoReply(replyTo(frame))).toBe(7);
  });

  it('resolve when answered, and the answers are not seen on the wire', async () => {
    const { echo, sent, seen, arrive } = bench();
    const asked = echo();
    expect(await settled(asked)).toBe(false);
    arrive(replyTo(sent[0] ?? new Uint8Array()));
    expect(await settled(asked)).toBe(true);
    expect(seen).toEqual([]);
  });

  it('count as answered when a later one is, not when an earlier one is', async () => {
    const { echo, sent, arrive } = bench();
    const all = [echo(), echo(), echo()];
    arrive(replyTo(sent[1] ?? new Uint8Array()));
    expect(await Promise.all(all.map(settled))).toEqual([true, true, false]);
  });

  it('leave everything else on the wire alone', () => {
    const { sent, seen, arrive, wire } = bench();
    const others = [new Uint8Array(4), new Uint8Array(200).fill(1), echoRequest(1)];
    for (const frame of others) arrive(frame);
    expect(seen).toEqual(others);
    wire.send(others[1] ?? new Uint8Array());
    expect(sent).toEqual([others[1]]);
  });

  it('are not sent or waited for while the link is down', async () => {
    const { echo, sent, setEchoes } = bench();
    const before = echo();
    setEchoes(false);
    expect(await settled(before)).toBe(true);
    expect(await settled(echo())).toBe(true);
    expect(sent).toHaveLength(1);
    setEchoes(true);
    expect(await settled(echo())).toBe(false);
    expect(sent).toHaveLength(2);
  });
});
