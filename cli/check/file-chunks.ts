import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const chunkBytes = 0x40000;

/** A file that is read once, from front to end. */
export interface ChunkedFile {
  /** fresh chunks: views into one stay valid after the next is read */
  chunks: Iterable<Uint8Array>;
  /** share of the file that was read, 0..1; undefined for what has no size, such as a pipe */
  done(): number | undefined;
  close(): void;
}

/** Bytes of a packed capture once it is unpacked, which is done in memory. */
const mostUnpacked = 0x2000_0000;

function unpacked(chunks: Iterable<Uint8Array>): Uint8Array {
  const most = mostUnpacked / 0x10_0000;
  const packed: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    packed.push(chunk);
    bytes += chunk.length;
    if (bytes > mostUnpacked) throw new Error(`packed by gzip, and larger than ${most} MiB; unpack it first`);
  }
  try {
    return gunzipSync(Buffer.concat(packed), { maxOutputLength: mostUnpacked });
  } catch (thrown) {
    const large = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';
    const why = large ? `larger than ${most} MiB when unpacked; unpack it first` : 'damaged';
    throw new Error(`packed by gzip, and ${why}`, { cause: thrown });
  }
}

/**
 * Opens a file and reads its first bytes; one packed by gzip is unpacked. Throws what `fs` throws for one that cannot be opened
 * or read, and Error for one that cannot be unpacked.
 */
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
  if (first[0] === 0x1f && first[1] === 0x8b) {
    try {
      return { chunks: [unpacked(chunks())], done: () => undefined, close: () => {} };
    } finally {
      close();
    }
  }
  return { chunks: chunks(), done: () => (size > 0 ? Math.min(1, bytes / size) : undefined), close };
}
