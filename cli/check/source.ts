import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCapture, type CaptureRecord } from '../../wire/index.ts';
import { usageError } from '../exit-codes.ts';
import { cannotRead } from '../files/file-trouble.ts';
import { openChunks, type ChunkedFile } from './file-chunks.ts';
import { inOrder } from './in-order.ts';
import { merged, type Part } from './merge.ts';

/** Frames of one capture, and more: the number of a frame tells by it which of several captures the frame is from. */
const mostFrames = 2 ** 32;

/** How standard input is named. */
const input = '-';

/** What is judged: one capture, several in the order of their stamps, or a pipe. */
export class CaptureSource {
  readonly files: readonly string[];
  readonly #directory: string;
  #open: ChunkedFile | undefined;

  /** Throws a usage error for what cannot be judged together. */
  constructor(files: readonly string[], directory: string) {
    this.files = files;
    this.#directory = directory;
    if (files.length === 1) return;
    for (const file of files) {
      if (file === input) throw usageError('- (standard input) is judged alone, without other captures');
      if (!this.#isFile(file)) throw usageError(`${file} is no file, and cannot be judged with others`);
    }
  }

  /** For people: "a.pcap", "a.pcap and 3 more". */
  get name(): string {
    const [first = '', ...others] = this.files;
    const name = first === input ? 'standard input' : first;
    return others.length === 0 ? name : `${name} and ${others.length} more`;
  }

  get live(): boolean {
    return this.files[0] === input;
  }

  /** Whether it can be read more than once. */
  get again(): boolean {
    return !this.live && this.files.every((file) => this.#isFile(file));
  }

  /** Whether a path is one of the captures. */
  holds(path: string): boolean {
    return this.files.some((file) => file !== input && resolve(this.#directory, file) === path);
  }

  /** File and number in it of a frame. */
  place(number: number): { frame: number; file?: string } {
    const file = this.files[Math.floor(number / mostFrames)];
    return { frame: number % mostFrames, ...(this.files.length > 1 && file !== undefined && { file }) };
  }

  /** Share that was read of a single file, 0..1. */
  done(): number | undefined {
    return this.#open?.done();
  }

  /** Frames in the order of their stamps. */
  records(): Iterable<CaptureRecord> {
    return inOrder(this.asWritten());
  }

  /** Frames in the order of the file; those of several by their stamps. */
  asWritten(): Iterable<CaptureRecord> {
    const [only = ''] = this.files;
    if (this.files.length === 1) return this.#read(only, 0);
    return merged(this.files.flatMap((file, i) => this.#part(file, i)));
  }

  /** A file with its first stamp; nothing if it holds no frame. */
  #part(file: string, index: number): Part[] {
    for (const record of this.#read(file, index)) {
      if (record.kind === 'frame') return [{ first: record.time, open: () => this.#read(file, index) }];
      if (record.offset === 0) throw notACapture(file, record.message);
      return [{ first: 0n, open: () => [record][Symbol.iterator]() }];
    }
    return [];
  }

  *#read(file: string, index: number): Generator<CaptureRecord> {
    const source = this.#chunks(file);
    this.#open = source;
    try {
      const { cut } = source;
      let damaged = false;
      for (const record of readCapture(source.chunks)) {
        damaged = record.kind === 'damage';
        const cutHere = damaged && cut !== undefined ? { ...record, message: cut.message } : record;
        yield this.#numbered(cutHere, file, index);
      }
      if (cut !== undefined && !damaged)
        yield this.#numbered({ kind: 'damage', offset: cut.bytes, message: cut.message }, file, index);
    } finally {
      source.close();
    }
  }

  #numbered(record: CaptureRecord, file: string, index: number): CaptureRecord {
    if (this.files.length === 1) return record;
    return record.kind === 'frame'
      ? { ...record, number: index * mostFrames + record.number }
      : { ...record, message: `${file}: ${record.message}` };
  }

  #chunks(file: string): ChunkedFile {
    try {
      return openChunks(file === input ? 0 : resolve(this.#directory, file));
    } catch (thrown) {
      throw usageError(cannotRead(this.live ? this.name : file, thrown));
    }
  }

  #isFile(file: string): boolean {
    try {
      return statSync(resolve(this.#directory, file)).isFile();
    } catch (thrown) {
      throw usageError(cannotRead(file, thrown));
    }
  }
}

/** The usage error for what is no capture, damaged or not. */
export function notACapture(file: string, message: string): Error {
  const why = message.replace(/^.*damaged capture file at byte 0: /, '');
  const trace = /begins with 7b /.test(why) ? '; a recorded trace is judged by "judge"' : '';
  return usageError(`${file}: ${why}${trace}`);
}
