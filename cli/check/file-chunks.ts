import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const chunkBytes = 0x40000;

/** A file that is read once, from front to end. */
export interface ChunkedFile {
  /** fresh chunks: views into one stay valid after the next is read */
  chunks: Iterable<Uint8Array>;
  /** share of the file that was read, 0..1; undefined for what has no size, such as a pipe */
  done(): number | undefined;
  close(): void;
}

/** Opens a file and reads its first bytes. Throws what `fs` throws for one that cannot be opened or read. */
export function openChunks(path: string): ChunkedFile {
  const file = openSync(path, 'r');
  let open = true;
  let bytes = 0;
  const size = fstatSync(file).size;
  const read = (): Uint8Array => {
    const chunk = new Uint8Array(chunkBytes);
    const length = readSync(file, chunk);
    bytes += length;
    return chunk.subarray(0, length);
  };
  const close = (): void => {
    if (open) closeSync(file);
    open = false;
  };
  const first = ((): Uint8Array => {
    try {
      return read();
    } catch (thrown) {
      close();
      throw thrown;
    }
  })();
  function* chunks(): Generator<Uint8Array> {
    for (let chunk = first; chunk.length > 0; chunk = read()) yield chunk;
  }
  return { chunks: chunks(), done: () => (size > 0 ? Math.min(1, bytes / size) : undefined), close };
}
