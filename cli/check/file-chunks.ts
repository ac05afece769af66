import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import * as zlib from 'node:zlib';

const chunkBytes = 0x40000;
/** Pause before a pipe is asked again that has nothing yet and does not wait, milliseconds. */
const pause = 20;

/** A file that is read once, from front to end. */
export interface ChunkedFile {
  /** fresh chunks: views into one stay valid after the next is read */
  chunks: Iterable<Uint8Array>;
  /** of a packed file that ends early: bytes that could be unpacked */
  cut?: { bytes: number; message: string };
  /** share of the file that was read, 0..1; undefined for what has no size, such as a pipe */
  done(): number | undefined;
  close(): void;
}

/** Bytes of a packed capture once it is unpacked, which is done in memory. */
const mostUnpacked = 0x2000_0000;

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number; finishFlush?: number }) => Uint8Array;

/** What a file is packed by, by its first bytes. */
interface Packer {
  name: string;
  magic: readonly number[];
  /** `undefined` where this version of Node has none */
  unpack: Unpack | undefined;
  /** for `finishFlush`: give what is there, although the end is missing */
  partly: number;
}

const own = (name: string): unknown => Reflect.get(zlib, name);
const zstd = own('zstdDecompressSync');

const packers: readonly Packer[] = [
  { name: 'gzip', magic: [0x1f, 0x8b], unpack: zlib.gunzipSync, partly: zlib.constants.Z_SYNC_FLUSH },
  {
    name: 'zstd',
    magic: [0x28, 0xb5, 0x2f, 0xfd],
    unpack: isUnpack(zstd) ? zstd : undefined,
    // ZSTD_e_flush, for which not every version of Node has a name
    partly: 1,
  },
];

function isUnpack(value: unknown): value is Unpack {
  return typeof value === 'function';
}

const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;

function unpacked(
  { name, unpack, partly }: Packer,
  chunks: Iterable<Uint8Array>,
): Pick<ChunkedFile, 'chunks' | 'cut'> {
  if (unpack === undefined)
    throw new Error(
      `packed by ${name}, which this version of Node cannot unpack (22.15 can); unpack it first, or judge it from a pipe: zstd -dc FILE | rdma-conform check -`,
    );
  const most = mostUnpacked / 0x10_0000;
  const advice = 'unpack it first, or judge it from a pipe: zcat FILE | rdma-conform check -';
  const packed: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    packed.push(chunk);
    size += chunk.length;
    if (size > mostUnpacked) throw new Error(`packed by ${name}, and larger than ${most} MiB; ${advice}`);
  }
  const whole = Buffer.concat(packed);
  const limit = { maxOutputLength: mostUnpacked };
  try {
    return { chunks: [unpack(whole, limit)] };
  } catch (thrown) {
    if (codeOf(thrown) === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`packed by ${name}, and larger than ${most} MiB when unpacked; ${advice}`, {
        cause: thrown,
      });
  }
  try {
    const bytes = unpack(whole, { ...limit, finishFlush: partly });
    const message = `the ${name} file is cut: its end is missing, and it unpacks to ${bytes.length} bytes only`;
    return { chunks: [bytes], cut: { bytes: bytes.length, message } };
  } catch (thrown) {
    throw new Error(`packed by ${name}, and damaged`, { cause: thrown });
  }
}

function begins(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** Reads as much as there is; waits where a pipe has nothing yet. */
function readSome(file: number, chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(file, chunk);
    } catch (thrown) {
      if (codeOf(thrown) === 'EOF') return 0;
      if (codeOf(thrown) !== 'EAGAIN') throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}

/**
 * Opens a file, or takes a descriptor that is open, and reads its first bytes; one packed by gzip or zstd is unpacked. Throws what `fs`
 * throws for one that cannot be opened or read, and Error for one that cannot be unpacked.
 */
export function openChunks(from: string | number): ChunkedFile {
  const file = typeof from === 'number' ? from : openSync(from, 'r');
  let open = typeof from !== 'number';
  let bytes = 0;
  const { size } = fstatSync(file);
  const read = (): Uint8Array => {
    const chunk = new Uint8Array(chunkBytes);
    const length = readSome(file, chunk);
    bytes += length;
    // what a pipe gives is often short, and its views are kept
    return length < chunkBytes / 4 ? chunk.slice(0, length) : chunk.subarray(0, length);
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
  const packer = packers.find(({ magic }) => begins(first, magic));
  if (packer !== undefined) {
    try {
      return { ...unpacked(packer, chunks()), done: () => undefined, close: () => {} };
    } finally {
      close();
    }
  }
  return { chunks: chunks(), done: () => (size > 0 ? Math.min(1, bytes / size) : undefined), close };
}
