// encode + ICRC + decode against scapy's RoCE layer in the same run. Budget: at least 100 times as fast.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '../wire/index.ts';
import type { PacketFields } from '../wire/index.ts';
import { line, nanosecondsPerCall } from './measure.ts';

const kinds: { name: string; scapy: string; fields: PacketFields }[] = [
  {
    name: 'RC ACKNOWLEDGE',
    scapy: 'ack',
    fields: { opcode: 0x11, destQp: 0x12, psn: 100, aeth: { syndrome: 0x1f, msn: 1 } },
  },
  {
    name: 'RC SEND_ONLY, 1024 bytes',
    scapy: 'send',
    fields: { opcode: 0x04, destQp: 0x12, psn: 100, payload: new Uint8Array(1024).fill(7) },
  },
];

let sink = 0;

/** encode, compute the ICRC, decode, check the ICRC: what the scapy script does as well. */
function round(fields: PacketFields): void {
  const decoded = decode(encode(fields));
  if (decoded.kind === 'packet' && decoded.packet.icrcOk) sink += decoded.packet.psn;
}

/** What the oracle reads of every packet. */
function hot(frame: Uint8Array): void {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') return;
  const p = decoded.packet;
  sink +=
    p.opcode + p.psn + p.destQp + p.aethWord + p.payloadLength + p.addressKey.length + (p.ackReq ? 1 : 0);
}

function scapyNanoseconds(kind: string): number | undefined {
  const script = fileURLToPath(new URL('codec_scapy.py', import.meta.url));
  try {
    return Number(execFileSync('/usr/bin/python3', [script, kind], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return undefined;
  }
}

for (const { name, scapy, fields } of kinds) {
  const frame = encode(fields);
  const all = nanosecondsPerCall(() => round(fields), 50_000);
  const theirs = scapyNanoseconds(scapy);
  const ratio =
    theirs === undefined
      ? 'no python3-scapy here to compare with'
      : `${(theirs / all).toFixed(0)} times scapy's speed (${theirs.toFixed(0)} ns)`;
  console.log(line(`${name}: encode, decode, check ICRC`, all, ratio));
  console.log(
    line(
      `${name}: encode`,
      nanosecondsPerCall(() => encode(fields), 50_000),
    ),
  );
  const read = nanosecondsPerCall(() => hot(frame), 200_000);
  console.log(line(`${name}: decode, oracle's fields`, read, `${(1e3 / read).toFixed(1)} M packets/s`));
}
if (sink === 0) throw new Error('nothing was decoded');
