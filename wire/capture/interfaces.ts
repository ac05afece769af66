import { unitsToTime } from './stamp.ts';
import type { ByteOrder } from './order.ts';

/** One interface of a pcapng section, as its description block gives it. */
export interface CaptureInterface {
  linktype: number;
  /** 0: no limit */
  snaplen: number;
  name?: string;
  /** nanoseconds per stamp unit where that is an integer up to 10^6 and no offset is to be added, else 0 */
  quick: number;
  /** stamp units -> nanoseconds: multiply, then divide, then add */
  multiply: bigint;
  divide: bigint;
  offset: bigint;
}

/** Code and value of one option. */
export interface Option {
  code: number;
  value: Uint8Array;
}

const text = new TextDecoder();

/** Options in bytes[at..end); undefined where one runs over the end. */
export function readOptions(
  bytes: Uint8Array,
  at: number,
  end: number,
  order: ByteOrder,
): Option[] | undefined {
  const options: Option[] = [];
  for (let next = at; next + 4 <= end;) {
    const code = order.u16(bytes, next);
    const length = order.u16(bytes, next + 2);
    if (code === 0) return options;
    if (next + 4 + length > end) return undefined;
    options.push({ code, value: bytes.subarray(next + 4, next + 4 + length) });
    next += 4 + ((length + 3) & ~3);
  }
  return options;
}

export function optionText(option: Option): string {
  return text.decode(option.value);
}

/** An interface by the body of its description block: link type, reserved, snaplen, options. */
export function readInterface(body: Uint8Array, order: ByteOrder): CaptureInterface | undefined {
  const options = readOptions(body, 8, body.length, order);
  if (options === undefined) return undefined;
  const found: CaptureInterface = {
    linktype: order.u16(body, 0),
    snaplen: order.u32(body, 4),
    quick: 0,
    multiply: 1000n,
    divide: 1n,
    offset: 0n,
  };
  for (const option of options) {
    if (option.code === 2) found.name = optionText(option);
    if (option.code === 9 && option.value.length === 1) Object.assign(found, resolution(option.value[0]!));
    if (option.code === 14 && option.value.length === 8) found.offset = seconds(option.value, order);
  }
  const exact = found.divide === 1n && found.offset === 0n && found.multiply <= 1_000_000n;
  found.quick = exact ? Number(found.multiply) : 0;
  return found;
}

/** if_tsresol: a negative power of two (bit 7 set) or of ten. */
function resolution(value: number): { multiply: bigint; divide: bigint } {
  const exponent = BigInt(value & 0x7f);
  if ((value & 0x80) !== 0) return { multiply: 1_000_000_000n, divide: 1n << exponent };
  if (exponent <= 9n) return { multiply: 10n ** (9n - exponent), divide: 1n };
  return { multiply: 1n, divide: 10n ** (exponent - 9n) };
}

function seconds(value: Uint8Array, order: ByteOrder): bigint {
  const [high, low] = order.name === 'big' ? [0, 4] : [4, 0];
  const unsigned = (BigInt(order.u32(value, high)) << 32n) | BigInt(order.u32(value, low));
  return BigInt.asIntN(64, unsigned) * 1_000_000_000n;
}

/** Nanoseconds since 1970 of a stamp of this interface. */
export function stampToTime(via: CaptureInterface, high: number, low: number): bigint {
  const quick = via.quick === 0 ? undefined : unitsToTime(high, low, via.quick);
  if (quick !== undefined) return quick;
  return (((BigInt(high) << 32n) | BigInt(low)) * via.multiply) / via.divide + via.offset;
}
