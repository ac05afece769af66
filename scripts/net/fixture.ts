import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Judgement, TraceEvent, TraceHeader } from '../../oracle/index.ts';
import type { Packet } from '../../wire/index.ts';

/** How one view of a trace was judged; the first of a trace is that of the trace itself. */
export interface JudgedView {
  view?: string;
  judgement: Judgement;
}

/** A recorded trace with its judgements. `mutant`: absent where the device was sound. */
export interface RecordedCase {
  name: string;
  mutant?: string;
  property: string;
  header: TraceHeader;
  events: TraceEvent[];
  judged: JudgedView[];
}

// What JSON has no word for is an object with one key, of these.
const bigintKey = '$int';
const bytesKey = '$hex';
const mapKey = '$map';
const frameKey = '$frame';

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

function isPacket(value: object): value is Packet {
  return 'frame' in value && value.frame instanceof Uint8Array && 'opcode' in value;
}

function encode(value: unknown): unknown {
  if (typeof value === 'bigint') return { [bigintKey]: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { [bytesKey]: hex(value) };
  if (value instanceof Map) return { [mapKey]: [...value].map(([key, item]) => [key, encode(item)]) };
  if (Array.isArray(value)) return value.map(encode);
  if (isPacket(value)) return { [frameKey]: hex(value.frame) };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
}

type Decode = (frame: Uint8Array) => Packet;

function decode(value: unknown, packet: Decode): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => decode(item, packet));
  const [[key, item] = ['', undefined], ...more] = Object.entries(value);
  if (more.length === 0) {
    if (key === bigintKey) return BigInt(String(item));
    if (key === bytesKey) return Uint8Array.from(Buffer.from(String(item), 'hex'));
    if (key === frameKey) return packet(Uint8Array.from(Buffer.from(String(item), 'hex')));
    if (key === mapKey) return new Map(decode(item, packet) as [unknown, unknown][]);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, decode(one, packet)]));
}

/** Recorded cases as compressed bytes. */
export function packed(cases: readonly RecordedCase[]): Uint8Array {
  const text = cases.map((one) => JSON.stringify(encode(one))).join('\n');
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
}

/** The cases in such bytes; `packet` reads a frame. */
export function unpacked(bytes: Uint8Array, packet: Decode): RecordedCase[] {
  const lines = brotliDecompressSync(bytes).toString('utf8').split('\n');
  // written by packed() alone, and checked in
  return lines.map((line) => decode(JSON.parse(line), packet) as RecordedCase);
}
