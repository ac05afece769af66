import type { Packet } from '../wire/index.ts';

/** A field of a header that most exchanges have at its usual value, so that lines do without it. */
interface Field {
  /** how expectations and observations name it */
  readonly named: RegExp;
  readonly text: (packet: Packet) => string | undefined;
  /** it does not have the value that it has in a sound packet of the suites */
  readonly unusual: (packet: Packet) => boolean;
  /** peers other than the suites have other usual values */
  readonly varies?: true;
}

const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`;

/** Pad bytes that a packet of this payload needs, or those of a packet in the middle of a message, which is as long as the path MTU. */
function padIsRight({ padCount, payloadLength, info }: Packet): boolean {
  const fills = info?.position === 'first' || info?.position === 'middle';
  return (payloadLength + padCount) % 4 === 0 && !(fills && padCount > 0);
}

/** Least source port that RoCEv2 senders take. */
const leastSourcePort = 0xc000;
/** TTL, or hop limit, of a sender that has no reason for another one. */
const usualHopLimit = 64;

const fields: readonly Field[] = [
  { named: /\bP_Key\b/, text: ({ pkey }) => `P_Key ${hex(pkey, 4)}`, unusual: ({ pkey }) => pkey !== 0xffff },
  {
    named: /\bMigReq\b/,
    text: ({ migReq }) => `MigReq ${Number(migReq)}`,
    unusual: ({ migReq, info }) => !migReq && info?.kind !== 'cnp',
  },
  { named: /\bFECN\b/, text: ({ fecn }) => `FECN ${Number(fecn)}`, unusual: ({ fecn }) => fecn },
  {
    named: /\bBECN \d/,
    text: ({ becn }) => `BECN ${Number(becn)}`,
    unusual: ({ becn, info }) => becn !== (info?.kind === 'cnp'),
  },
  {
    named: /\breserved bits\b/,
    text: ({ resv6, resv7 }) => `reserved bits ${hex(resv6, 2)}, ${hex(resv7, 2)}`,
    unusual: ({ resv6, resv7 }) => resv6 !== 0 || resv7 !== 0,
  },
  {
    named: /\b(?:pad|PadCnt)\b/,
    text: ({ padCount }) => `pad ${padCount}`,
    unusual: (packet) => !padIsRight(packet),
  },
  {
    named: /\bQ_Key\b/,
    text: ({ deth }) => (deth === undefined ? undefined : `Q_Key ${hex(deth.qkey, 8)}`),
    unusual: () => false,
  },
  {
    named: /\breserved byte of the DETH\b/,
    text: ({ deth }) => (deth === undefined ? undefined : `reserved byte ${hex(deth.reserved ?? 0, 2)}`),
    unusual: ({ deth }) => deth?.reserved !== undefined,
  },
  {
    named: /\bDSCP\b/,
    text: ({ trafficClass }) => `DSCP ${trafficClass >> 2}`,
    unusual: ({ trafficClass }) => trafficClass >> 2 !== 0,
    varies: true,
  },
  {
    named: /\bECN (?:bits )?[01]{2}\b/,
    text: ({ ecn }) => `ECN ${ecn.toString(2).padStart(2, '0')}`,
    unusual: () => false,
  },
  {
    named: /\b(?:TTL|hop limit)\b/,
    text: ({ ipVersion, hopLimit }) => `${ipVersion === 4 ? 'TTL' : 'hop limit'} ${hopLimit}`,
    unusual: ({ hopLimit }) => hopLimit !== usualHopLimit,
    varies: true,
  },
  {
    named: /\bflow label\b/,
    text: ({ flowLabel }) => (flowLabel === undefined ? undefined : `flow label ${hex(flowLabel, 5)}`),
    unusual: ({ flowLabel = 0 }) => flowLabel !== 0,
    varies: true,
  },
  {
    named: /\bsource port\b/,
    text: ({ srcPort }) => `source port ${srcPort}`,
    unusual: ({ srcPort }) => srcPort < leastSourcePort,
    varies: true,
  },
  {
    named: /\bUDP checksum\b/,
    text: ({ udpChecksum }) => `UDP checksum ${hex(udpChecksum, 4)}`,
    unusual: ({ udpChecksum }) => udpChecksum !== 0,
    varies: true,
  },
];

interface Finding {
  expected: string;
  observed: string;
}

/** Where a packet is from: `crafted` is the peer that the suites play. */
export type Sender = 'dut' | 'peer' | 'crafted';

/**
 * Fields that a line about a packet shows beyond the usual ones, each with a space in front: those that the finding is about, and what is
 * unusual in a packet that the device has to cope with.
 */
export function fieldsText(packet: Packet, finding: Finding | undefined, from: Sender): string {
  const about = finding === undefined ? '' : `${finding.expected}; ${finding.observed}`;
  const shown = ({ unusual, varies }: Field): boolean =>
    from !== 'dut' && (from === 'crafted' || varies !== true) && unusual(packet);
  return fields
    .filter((field) => field.named.test(about) || shown(field))
    .flatMap(({ text }) => text(packet) ?? [])
    .map((text) => ` ${text}`)
    .join('');
}
