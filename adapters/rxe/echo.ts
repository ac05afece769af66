import { parseIp, parseMac } from '../../wire/index.ts';
import type { Wire } from '../adapter.ts';
import { guestIpv4, guestMac } from '../agent/machine.ts';

const etherHeader = 14;
const ipHeader = 20;
const icmpHeader = 8;
/** an Ethernet frame is no shorter */
const shortest = 60;
const icmp = { protocol: 1, request: 8, reply: 0 };
/** tells our echoes from others */
const identifier = 0xc0f0;

/** Internet checksum (RFC 1071) of an even number of bytes. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 2) sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

/** ICMP echo request of the peer (address 2) to the machine of the DUT (address 1). */
export function echoRequest(sequence: number): Uint8Array {
  const frame = Buffer.alloc(shortest);
  frame.set(parseMac(guestMac(1)), 0);
  frame.set(parseMac(guestMac(2)), 6);
  frame.writeUInt16BE(0x0800, 12);
  const ip = frame.subarray(etherHeader, etherHeader + ipHeader);
  ip[0] = 0x45;
  ip.writeUInt16BE(shortest - etherHeader, 2);
  ip[8] = 64;
  ip[9] = icmp.protocol;
  ip.set(parseIp(guestIpv4(2)), 12);
  ip.set(parseIp(guestIpv4(1)), 16);
  ip.writeUInt16BE(checksum(ip), 10);
  const body = frame.subarray(etherHeader + ipHeader);
  body[0] = icmp.request;
  body.writeUInt16BE(identifier, 4);
  body.writeUInt16BE(sequence, 6);
  body.writeUInt16BE(checksum(body), 2);
  return frame;
}

/** Sequence number of the answer to one of our echo requests, or `undefined` for any other frame. */
export function echoReply(frame: Uint8Array): number | undefined {
  if (frame.length < etherHeader + ipHeader + icmpHeader) return undefined;
  const view = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.readUInt16BE(12) !== 0x0800 || view[etherHeader] !== 0x45) return undefined;
  if (view[etherHeader + 9] !== icmp.protocol) return undefined;
  const body = view.subarray(etherHeader + ipHeader);
  if (body[0] !== icmp.reply || body.readUInt16BE(4) !== identifier) return undefined;
  return body.readUInt16BE(6);
}

/**
 * The wire without the answers to our echo requests, and `echo` of a Bench: the kernel of the DUT's machine answers where it
 * takes its frames from the port, so that an answer is late when packets are. A request whose answer was lost counts as
 * answered by that to a later one.
 */
export function echoing(wire: Wire): {
  wire: Wire;
  echo: () => Promise<void>;
  /** none are sent, or waited for, while the port is down */
  setEchoes: (on: boolean) => void;
} {
  const waiting = new Map<number, () => void>();
  let sequence = 0;
  let on = true;
  const answered = (number: number): void => {
    if (!waiting.has(number)) return;
    for (const [asked, done] of waiting) {
      waiting.delete(asked);
      done();
      if (asked === number) return;
    }
  };
  return {
    wire: {
      send: (frame) => wire.send(frame),
      onFrame: (listener) =>
        wire.onFrame((frame, time) => {
          const number = echoReply(frame);
          if (number === undefined) listener(frame, time);
          else answered(number);
        }),
    },
    setEchoes: (next) => {
      on = next;
      if (on) return;
      for (const done of waiting.values()) done();
      waiting.clear();
    },
    echo: () =>
      new Promise((resolve) => {
        if (!on) return resolve();
        sequence = (sequence + 1) & 0xffff;
        waiting.set(sequence, resolve);
        wire.send(echoRequest(sequence));
      }),
  };
}
