import type { Duplex } from 'node:stream';
import type { Clock, Wire } from '../adapter.ts';

/** Ethernet frames over QEMU's `-netdev stream`: four bytes of length, big-endian, then the frame. */
export function streamWire(stream: Duplex, clock: Clock): Wire {
  let listener: (frame: Uint8Array, time: number) => void = () => undefined;
  let held: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    const time = clock.now();
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    while (held.length - at >= 4) {
      const end = at + 4 + held.readUInt32BE(at);
      if (held.length < end) break;
      listener(held.subarray(at + 4, end), time);
      at = end;
    }
    held = held.subarray(at);
  });
  return {
    send(frame) {
      if (stream.destroyed) return;
      const bytes = Buffer.allocUnsafe(4 + frame.length);
      bytes.writeUInt32BE(frame.length, 0);
      bytes.set(frame, 4);
      stream.write(bytes);
    },
    onFrame(next) {
      listener = next;
    },
  };
}
