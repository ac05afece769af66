/**
 * Makes msn-counts-packets.pcap: a requester sends messages of two packets, and a responder whose MSN counts packets, where it is
 * to count messages, acknowledges them.
 *
 *     npx tsx examples/captures/make.ts
 */
import { writeFileSync } from 'node:fs';
import { encode, writePcap, type PacketFields } from 'rdma-conform/wire';

const requester = '10.0.0.1';
const responder = '10.0.0.2';

/** Opcodes of RC. */
const [sendFirst, sendLast, acknowledge] = [0x00, 0x02, 0x11];

const request = (fields: Pick<PacketFields, 'opcode' | 'psn' | 'ackReq' | 'payload'>): Uint8Array =>
  encode({ ...fields, srcIp: requester, dstIp: responder, destQp: 0x22 });

const ack = (psn: number, msn: number): Uint8Array =>
  encode({
    opcode: acknowledge,
    srcIp: responder,
    dstIp: requester,
    destQp: 0x11,
    psn,
    aeth: { syndrome: 0x1f, msn },
  });

const frames = [0, 1, 2].flatMap((message) => {
  const psn = 100 + 2 * message;
  return [
    request({ opcode: sendFirst, psn, payload: new Uint8Array(1024) }),
    request({ opcode: sendLast, psn: psn + 1, ackReq: true, payload: new Uint8Array(256) }),
    ack(psn + 1, 2 * message + 2),
  ];
});
const start = 1_750_000_000_000_000_000n;
const packets = frames.map((data, i) => ({ time: start + BigInt(i) * 5_000n, data }));
writeFileSync(new URL('msn-counts-packets.pcap', import.meta.url), writePcap(packets));
