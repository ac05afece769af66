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

/** Takes runs of bytes of any length out of a sequence of chunks. */
export class ByteSource {
  /** offset in the whole of the next byte to be taken */
  offset = 0;
  private readonly chunks: Iterator<Uint8Array>;
  private chunk: Uint8Array = new Uint8Array(0);
  private at = 0;

  constructor(chunks: Iterable<Uint8Array>) {
    this.chunks = chunks[Symbol.iterator]();
  }

  /** The next `n` bytes without taking them; fewer where the source ends before. */
  peek(n: number): Uint8Array {
    if (this.chunk.length - this.at < n) this.fill(n);
    return this.chunk.subarray(this.at, Math.min(this.at + n, this.chunk.length));
  }

  /** Takes the next `n` bytes; fewer where the source ends before. */
  take(n: number): Uint8Array {
    const bytes = this.peek(n);
    this.at += bytes.length;
    this.offset += bytes.length;
    return bytes;
  }

  /** Lets the source close what it holds open. */
  close(): void {
    this.chunks.return?.();
  }

  private fill(n: number): void {
    const parts = [this.chunk.subarray(this.at)];
    let have = parts[0]!.length;
    while (have < n) {
      const next = this.chunks.next();
      if (next.done === true) break;
      parts.push(next.value);
      have += next.value.length;
    }
    if (parts.length === 1) return;
    this.chunk = parts[0]!.length === 0 && parts.length === 2 ? parts[1]! : joinBytes(parts);
    this.at = 0;
  }
}

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
