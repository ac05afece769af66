import { causes, causeWords, type Connection, type ConnectionEnd } from './shape.ts';
import { grouped } from '../text.ts';

/** The figures of an end that a table shows, and their headings. */
export const columns: readonly { head: string; of: (end: ConnectionEnd) => string }[] = [
  { head: 'packets', of: ({ packets }) => short(packets) },
  { head: 'bytes', of: ({ bytes }) => short(bytes) },
  { head: 'requests', of: ({ requests }) => short(requests) },
  { head: 'answers', of: ({ responses }) => short(responses) },
  { head: 'again', of: ({ again }) => short(sum(Object.values(again))) },
  { head: 'RNR', of: ({ rnrNaks }) => short(rnrNaks) },
  { head: 'NAK', of: ({ naks }) => short(sum(Object.values(naks))) },
  { head: 'CE', of: ({ ce }) => short(ce) },
  { head: 'CNP', of: ({ cnps }) => short(cnps) },
];

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** A number in at most seven characters: 99,999, 1.2 M. */
function short(n: number): string {
  if (n < 1e5) return grouped(n);
  const [unit, size] = n < 1e6 ? ['k', 1e3] : n < 1e9 ? ['M', 1e6] : ['G', 1e9];
  const scaled = n / size;
  return `${scaled < 100 ? scaled.toFixed(1) : grouped(scaled)} ${unit}`;
}

export function endName({ address, qp }: ConnectionEnd): string {
  return qp === undefined ? address : `${address} qp 0x${qp.toString(16).padStart(6, '0')}`;
}

/** Why an end sent again, and which NAKs it sent: "12 again after an RNR NAK"; empty if neither. */
export function endRemarks({ again, naks }: ConnectionEnd): string[] {
  return [
    ...causes
      .filter((cause) => again[cause] > 0)
      .map((cause) => `${grouped(again[cause])} sent again ${causeWords[cause]}`),
    ...Object.entries(naks).map(([name, n]) => `${grouped(n)} NAK ${name}`),
  ];
}

/** The ends that sent something, with the sign of their direction. */
export function sending({ ends }: Connection): { sign: string; end: ConnectionEnd }[] {
  return [
    { sign: '->', end: ends[0] },
    { sign: '<-', end: ends[1] },
  ].filter(({ end }) => end.packets > 0);
}
