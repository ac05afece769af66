const scratch = new DataView(new ArrayBuffer(8));
const word = 0x100000000;

// A stamp per packet: arithmetic on BigInt makes an object per step, this makes one.
function join(high: number, low: number): bigint {
  scratch.setUint32(0, high);
  scratch.setUint32(4, low);
  return scratch.getBigUint64(0);
}

/** Seconds and nanoseconds of a pcap record, both 32 bits, in nanoseconds. */
export function secondsToTime(seconds: number, nanoseconds: number): bigint {
  // seconds * 1e9 in two parts that a double holds exactly
  const upper = (seconds >>> 16) * 1e9;
  const lower = (upper % 0x10000) * 0x10000 + (seconds & 0xffff) * 1e9 + nanoseconds;
  return join(Math.floor(upper / 0x10000) + Math.floor(lower / word), lower % word);
}

/** high:low units of 64 bits times `multiply` (1..10^6), in nanoseconds; undefined where it takes more than 64 bits. */
export function unitsToTime(high: number, low: number, multiply: number): bigint | undefined {
  const lower = low * multiply;
  const upper = high * multiply + Math.floor(lower / word);
  return upper < word ? join(upper, lower % word) : undefined;
}
