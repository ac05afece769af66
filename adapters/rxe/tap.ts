import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { AdapterBroken, AdapterUnavailable } from '../adapter.ts';
import type { Clock, Wire } from '../adapter.ts';
import { attachTap, onReadable, setTapCarrier } from '../verbs/ffi.ts';

const isAgain = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** A TAP interface of this host, seen from its far end. It exists until `close`, or this process, ends. */
export interface Tap extends Wire {
  /** pulls its cable, or puts it back */
  setCarrier(up: boolean): Promise<void>;
  close(): void;
}

/** Makes the TAP interface `name`; needs root. */
export function openTap(name: string, clock: Clock): Tap {
  const fd = openSync('/dev/net/tun', constants.O_RDWR | constants.O_NONBLOCK);
  const failed = attachTap(fd, name);
  if (failed !== 0) {
    closeSync(fd);
    throw new AdapterUnavailable(`rxe: cannot make the TAP interface ${name} (errno ${failed})`);
  }
  let listener: (frame: Uint8Array, time: number) => void = () => undefined;
  const drain = (): void => {
    for (;;) {
      const frame = Buffer.alloc(65536);
      try {
        const length = readSync(fd, frame);
        listener(frame.subarray(0, length), clock.now());
      } catch (error) {
        if (isAgain(error)) return;
        throw error;
      }
    }
  };
  const poll = onReadable(fd, drain);
  return {
    send: (frame) => void writeSync(fd, frame),
    onFrame: (next) => {
      listener = next;
    },
    setCarrier: async (up) => {
      const reason = setTapCarrier(fd, up);
      if (reason !== 0)
        throw new AdapterBroken(`rxe: the link of ${name} cannot be changed (errno ${reason})`);
    },
    close: () => {
      poll.close();
      closeSync(fd);
    },
  };
}
