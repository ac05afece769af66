import { causes, causeWords, type Connection, type ConnectionEnd, type Paced } from './shape.ts';
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

/** Payload bytes per second in bits: "12.5 Gbit/s". */
export function rate(bytesPerSecond: number): string {
  const bits = 8 * bytesPerSecond;
  const [unit, size] = bits < 1e6 ? ['kbit/s', 1e3] : bits < 1e9 ? ['Mbit/s', 1e6] : ['Gbit/s', 1e9];
  const scaled = bits / size;
  return `${scaled < 100 ? scaled.toFixed(1) : grouped(Math.round(scaled))} ${unit}`;
}

/** How much an end sent, how it followed CNPs, why it sent again, and which NAKs it sent: "12 sent again after an RNR NAK". */
export function endRemarks({ again, naks, goodput, paced }: ConnectionEnd): string[] {
  return [
    ...(goodput === undefined
      ? []
      : [`goodput ${rate(goodput.mean)}, ${rate(goodput.busiest)} in its busiest millisecond`]),
    ...(paced === undefined
      ? []
      : [`${pacedWords(paced)} behind ${paced.cnps === 1 ? 'a CNP' : `${grouped(paced.cnps)} CNPs`}`]),
    ...causes
      .filter((cause) => again[cause] > 0)
      .map((cause) => `${grouped(again[cause])} sent again ${causeWords[cause]}`),
    ...Object.entries(naks).map(([name, n]) => `${grouped(n)} NAK ${name}`),
  ];
}

function pacedWords({ cnps, before, behind }: Paced): string {
  const perSecond = 1000 / cnps;
  return `${rate(before * perSecond)} on the wire in the millisecond before, ${rate(behind * perSecond)} in the one`;
}

/** The ends that sent something, with the sign of their direction. */
export function sending({ ends }: Connection): { sign: string; end: ConnectionEnd }[] {
  return [
    { sign: '->', end: ends[0] },
    { sign: '<-', end: ends[1] },
  ].filter(({ end }) => end.packets > 0);
}
