// ICRC against node's native zlib.crc32 over the same bytes. Budget: at 1 KiB payloads at least 0.5 of its speed.
import { crc32 } from 'node:zlib';
import { encode, icrc } from '../wire/index.ts';
import { line, nanosecondsPerCall } from './measure.ts';

for (const ip of [
  { name: 'IPv4', srcIp: '10.0.0.1' },
  { name: 'IPv6', srcIp: 'fd00::1' },
]) {
  for (const size of [0, 64, 256, 1024, 4096]) {
    const payload = Uint8Array.from({ length: size }, (_, i) => i * 7);
    const frame = encode({ opcode: 0x04, destQp: 1, psn: 1, srcIp: ip.srcIp, payload });
    const covered = frame.slice(14, frame.length - 4);
    const calls = 100_000;
    const native = nanosecondsPerCall(() => crc32(covered), calls);
    const ours = nanosecondsPerCall(() => icrc(frame, 14), calls);
    const ratio = `${(native / ours).toFixed(2)} of zlib.crc32 (${native.toFixed(0)} ns)`;
    console.log(line(`ICRC, ${ip.name}, payload ${size}`, ours, ratio));
  }
}
