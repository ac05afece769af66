import { bytesOf, type Size } from '../../arbitraries/scalars.ts';

/** The value of one part. A length by whole MTUs and bytes is one part: neither says anything without the other. */
export type Leaf = string | number | boolean | Size;

function isSize(data: unknown): data is Size {
  if (typeof data !== 'object' || data === null) return false;
  const { mtus, bytes, ...more } = data as Partial<Size>;
  return typeof mtus === 'number' && typeof bytes === 'number' && Object.keys(more).length === 0;
}

/** Whether data are one value, and nothing to look into. */
export function isLeaf(data: unknown): data is Leaf {
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' || isSize(data);
}

/** Whether two values are the same. */
export const equal = (a: Leaf, b: Leaf): boolean =>
  isSize(a) && isSize(b) ? a.mtus === b.mtus && a.bytes === b.bytes : a === b;

/** A length in words: in MTUs from one on. */
export function lengthWords(bytes: number, mtu: number): string {
  const whole = Math.floor(bytes / mtu);
  const rest = bytes - whole * mtu;
  const left = `${rest} ${rest === 1 ? 'byte' : 'bytes'}`;
  if (whole < 1) return bytes < 0 ? `${bytes} bytes` : left;
  return rest === 0 ? `${whole} MTU` : `${whole} MTU + ${left}`;
}

/** A value in words, with its unit, by the name of its field. */
export function word(key: string, value: Leaf, mtu: number): string {
  if (isSize(value)) return lengthWords(bytesOf(value, mtu), mtu);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (lengths.has(key)) return lengthWords(value, mtu);
  return key === 'us' ? `${value} us` : String(value);
}

const lengths: ReadonlySet<string> = new Set(['bytes', 'length']);

const psns = [0, 1, 0x7fffff, 0x800000, 0xffffff];
/** Lengths worth trying: around nothing, and around whole MTUs. */
const sizes: readonly Size[] = [
  { mtus: 0, bytes: 0 },
  { mtus: 0, bytes: 1 },
  { mtus: 0, bytes: 4 },
  { mtus: 1, bytes: 0 },
  { mtus: 1, bytes: 1 },
  { mtus: 2, bytes: 0 },
];

/** Values worth trying in place of one, by the name of its field; none where a change would make another scenario. */
export function candidates(key: string, value: Leaf, mtu: number): readonly Leaf[] {
  if (isSize(value)) return sizes;
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') {
    if (key === 'operation') {
      return ['SEND_ONLY', 'SEND_FIRST', 'SEND_LAST', 'RDMA_WRITE_ONLY', 'RDMA_READ_REQUEST', 'FETCH_ADD'];
    }
    if (key !== 'opcode') return [];
    return ['IBV_WR_SEND', 'IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_READ', 'IBV_WR_ATOMIC_FETCH_AND_ADD'];
  }
  switch (key) {
    case 'startPsn':
      return psns;
    case 'bytes':
    case 'length':
      return sizes.map((size) => bytesOf(size, mtu));
    case 'offset':
    case 'msnOffset':
      return [value - 1, value + 1, value + 2, 0, -value];
    case 'us':
      return [Math.floor(value / 2), value * 2, value * 10];
    case 'retryCnt':
    case 'rnrRetry':
      return [0, 1, 2, 7];
    case 'region':
    case 'wr':
    case 'fill':
    case 'version':
    // one that is reserved: another number would be an operation
    case 'opcode':
      return [];
    default:
      return [0, 1, 2, value - 1, value + 1, value * 2].filter((n) => n >= 0);
  }
}
