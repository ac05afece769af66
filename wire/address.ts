/** Text forms of MAC and IP addresses. */

const hexByte = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

/** "02:00:00:00:00:01" of the six bytes at `at`. */
export function formatMac(bytes: Uint8Array, at: number): string {
  let text = hexByte[bytes[at]!]!;
  for (let i = 1; i < 6; i++) text += `:${hexByte[bytes[at + i]!]!}`;
  return text;
}

// Few addresses come again and again, each to be compared and looked up: their texts are kept, by a hash of the address.
const slots = 256;
const keptWords = new Int32Array(slots);
const keptTexts: string[] = Array.from({ length: slots }, () => '0.0.0.0');

/** The 4 bytes at `at` as "10.0.0.1". */
export function formatIpv4(bytes: Uint8Array, at: number): string {
  const [a, b, c, d] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!];
  const word = (a << 24) | (b << 16) | (c << 8) | d;
  const slot = (d + 31 * c + 7 * b + a) % slots;
  if (keptWords[slot] === word) return keptTexts[slot]!;
  keptWords[slot] = word;
  return (keptTexts[slot] = `${a}.${b}.${c}.${d}`);
}

/** The 16 bytes at `at` in the canonical form of RFC 5952, IPv4-mapped addresses included. */
export function formatIpv6(bytes: Uint8Array, at: number): string {
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push((bytes[at + i]! << 8) | bytes[at + i + 1]!);
  if (groups.slice(0, 5).every((g) => g === 0) && groups[5] === 0xffff) {
    return `::ffff:${formatIpv4(bytes, at + 12)}`;
  }
  const run = longestZeroRun(groups);
  const hex = groups.map((g) => g.toString(16));
  if (run.length < 2) return hex.join(':');
  return `${hex.slice(0, run.start).join(':')}::${hex.slice(run.start + run.length).join(':')}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Six bytes of "02:00:00:00:00:01"; RangeError for anything else. */
export function parseMac(text: string): Uint8Array {
  if (!/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(text)) throw new RangeError(`"${text}" is no MAC address`);
  return Uint8Array.from(text.split(/[:-]/), (part) => Number.parseInt(part, 16));
}

/** 4 bytes of an IPv4, 16 of an IPv6 address in any of its text forms; RangeError for anything else. */
export function parseIp(text: string): Uint8Array {
  const bytes = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  if (bytes === undefined) throw new RangeError(`"${text}" is no IP address`);
  return bytes;
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  const sound = parts.length === 4 && parts.every((p) => /^(0|[1-9]\d{0,2})$/.test(p) && Number(p) < 256);
  return sound ? Uint8Array.from(parts, Number) : undefined;
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => parseGroups(half, index === halves.length - 1));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (tail === undefined) return head.length === 16 ? Uint8Array.from(head) : undefined;
  const gap = 16 - head.length - tail.length;
  if (gap < 2) return undefined;
  return Uint8Array.from([...head, ...Array.from({ length: gap }, () => 0), ...tail]);
}

/** Bytes of colon-separated groups; at the end of the address the last may be a dotted IPv4 address. */
function parseGroups(text: string, atEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const dotted = atEnd && index === groups.length - 1 ? parseIpv4(group) : undefined;
    if (dotted === undefined) return undefined;
    bytes.push(...dotted);
  }
  return bytes;
}
