import { constants, openSync, readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { onReadable } from '../verbs/ffi.ts';

const isAgain = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** A character device that carries lines both ways. */
export interface LinePort {
  put(line: string): void;
}

/**
 * Opens a virtio-serial port without blocking. Lines of one wake-up are handled together and their answers written
 * together. `onHangup` runs when the other side has gone.
 */
export function openPort(path: string, onLine: (line: string) => void, onHangup: () => void): LinePort {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const chunk = Buffer.alloc(65536);
  const decoder = new StringDecoder('utf8');
  let input = '';
  let output: Buffer[] = [];
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    let data = output.length === 1 ? (output[0] ?? Buffer.alloc(0)) : Buffer.concat(output);
    output = [];
    while (data.length > 0) {
      try {
        data = data.subarray(writeSync(fd, data, 0, Math.min(data.length, 16384)));
      } catch (error) {
        if (!isAgain(error)) return onHangup();
        output = [data, ...output];
        scheduled = true;
        setTimeout(flush, 1);
        return;
      }
    }
  };

  const read = (): void => {
    for (;;) {
      let got: number;
      try {
        got = readSync(fd, chunk);
      } catch (error) {
        if (isAgain(error)) break;
        return onHangup();
      }
      if (got === 0) return onHangup(); // the driver reads 0 when the host end is closed
      input += decoder.write(chunk.subarray(0, got));
      const lines = input.split('\n');
      input = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };

  const handle = onReadable(fd, read);
  // An unreferenced handle stops calling back, so something that lives must hold it.
  setInterval(() => void handle, 0x7fffffff);
  return {
    put: (line) => {
      output.push(Buffer.from(line));
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
  };
}
