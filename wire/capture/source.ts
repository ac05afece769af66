import { closeSync, openSync, readSync } from 'node:fs';

const chunkBytes = 0x40000;

/**
 * A file in fresh chunks, so that views into one stay valid after the next is read, and memory is what the consumer
 * keeps. Throws what `fs` throws for a file that cannot be opened or read.
 */
export function* fileChunks(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = new Uint8Array(chunkBytes);
      const length = readSync(file, chunk);
      if (length === 0) return;
      yield length === chunk.length ? chunk : chunk.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** A window on a sequence of chunks: `bytes[at..]` is what has been loaded and not yet taken. */
export class ByteSource {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  /** offset in the whole of bytes[0] */
  private base = 0;
  private readonly chunks: Iterator<Uint8Array, undefined>;
  /** what of the newest chunk is not in `bytes` */
  private rest: Uint8Array = nothing;

  constructor(chunks: Iterable<Uint8Array>) {
    this.chunks = chunks[Symbol.iterator]();
  }

  /** Offset in the whole of the next byte to be taken. */
  get offset(): number {
    return this.base + this.at;
  }

  /** Bytes that are loaded from `at` on. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Loads until `n` bytes stand from `at` on; false where the source ends before. */
  has(n: number): boolean {
    if (this.bytes.length - this.at >= n) return true;
    return this.fill(n);
  }

  /** Lets the source close what it holds open. */
  close(): void {
    this.chunks.return?.();
  }

  private fill(n: number): boolean {
    if (this.left === 0 && this.rest.length > 0) {
      this.move(this.rest);
      this.rest = nothing;
      if (this.left >= n) return true;
    }
    // only what stands on the border of two chunks is copied, not the whole of the second
    const parts = [this.bytes.subarray(this.at)];
    let have = this.left;
    while (have < n) {
      const next = this.rest.length > 0 ? this.rest : this.chunks.next().value;
      this.rest = nothing;
      if (next === undefined) break;
      const taken = have === 0 ? next : next.subarray(0, n - have);
      this.rest = next.subarray(taken.length);
      parts.push(taken);
      have += taken.length;
    }
    if (parts.length > 1) this.move(have === parts[1]!.length ? parts[1]! : joinBytes(parts));
    return have >= n;
  }

  private move(bytes: Uint8Array): void {
    this.base += this.at;
    this.at = 0;
    this.bytes = bytes;
  }
}

const nothing = new Uint8Array(0);

/** One array of all parts. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
