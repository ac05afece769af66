import { headerBytes } from '../spec/constants.ts';
import type { HeaderName } from '../spec/constants.ts';
import { u16, u32le } from './bytes.ts';
import { decode } from './decode.ts';
import { describeSyndrome } from './describe.ts';
import { bthBytes, icrcBytes } from './layout.ts';
import type { Packet } from './packet.ts';

/** One header of a frame, or what stands behind the headers, with its fields in words. */
export interface FrameLayer {
  /** e.g. `Ethernet`, `IPv4`, `BTH`, `AETH`, `payload`, `ICRC` */
  name: string;
  /** bytes from the beginning of the frame */
  offset: number;
  length: number;
  fields: { name: string; value: string }[];
}

type Field = readonly [name: string, value: string | number | bigint];

const hex = (value: number | bigint, digits: number): string =>
  `0x${value.toString(16).padStart(digits, '0')}`;
const flag = (name: string, set: boolean): Field[] => (set ? [[name, 1]] : []);
/** Fields that a frame nearly always leaves at their usual value are named only where it does not. */
const unusual = (name: string, value: number, usual: number): Field[] =>
  value === usual ? [] : [[name, value]];

function ethernet(packet: Packet): Field[] {
  return [
    ['to', packet.dstMac],
    ['from', packet.srcMac],
    ...(packet.serviceTci === undefined ? [] : [['service tag', hex(packet.serviceTci, 4)] as const]),
    ...(packet.vlanTci === undefined ? [] : [['VLAN tag', hex(packet.vlanTci, 4)] as const]),
  ];
}

function ip(packet: Packet): Field[] {
  const ecn = ['not ECT', 'ECT(1)', 'ECT(0)', 'CE'][packet.ecn] ?? '';
  return [
    ['from', packet.srcIp],
    ['to', packet.dstIp],
    ['DSCP', packet.trafficClass >> 2],
    ['ECN', ecn],
    [packet.ipVersion === 4 ? 'TTL' : 'hop limit', packet.hopLimit],
    ...(packet.ipChecksumOk ? [] : [['header checksum', 'wrong'] as const]),
  ];
}

function bth(packet: Packet): Field[] {
  const { info } = packet;
  return [
    ['opcode', `${hex(packet.opcode, 2)} ${info?.name ?? '(reserved)'}`],
    ...flag('solicited', packet.solicited),
    ['MigReq', packet.migReq ? 1 : 0],
    ['pad', packet.padCount],
    ...unusual('TVer', packet.tver, 0),
    ['P_Key', hex(packet.pkey, 4)],
    ...flag('FECN', packet.fecn),
    ...flag('BECN', packet.becn),
    ...unusual('reserved 6', packet.resv6, 0),
    ['destination QP', hex(packet.destQp, 6)],
    ['AckReq', packet.ackReq ? 1 : 0],
    ...unusual('reserved 7', packet.resv7, 0),
    ['PSN', packet.psn],
  ];
}

function target(eth: { va: bigint; rkey: number }): Field[] {
  return [
    ['VA', hex(eth.va, 16)],
    ['R_Key', hex(eth.rkey, 8)],
  ];
}

function extension(header: HeaderName, packet: Packet): Field[] {
  const {
    rdeth,
    deth,
    xrceth,
    reth,
    atomicEth,
    aeth,
    atomicOriginal,
    immediate,
    invalidateRkey,
    feth,
    ooeth,
    saeth,
  } = packet;
  switch (header) {
    case 'RDETH':
      return rdeth === undefined ? [] : [['EE context', hex(rdeth.eeContext, 6)]];
    case 'DETH':
      return deth === undefined
        ? []
        : [
            ['Q_Key', hex(deth.qkey, 8)],
            ...unusual('reserved', deth.reserved ?? 0, 0),
            ['source QP', hex(deth.srcQp, 6)],
          ];
    case 'XRCETH':
      return xrceth === undefined ? [] : [['SRQ', hex(xrceth.srq, 6)]];
    case 'RETH':
      return reth === undefined ? [] : [...target(reth), ['DMA length', reth.dmaLen]];
    case 'AtomicETH':
      return atomicEth === undefined
        ? []
        : [
            ...target(atomicEth),
            ['swap or add', hex(atomicEth.swapOrAdd, 16)],
            ['compare', hex(atomicEth.compare, 16)],
          ];
    case 'AETH':
      return aeth === undefined
        ? []
        : [
            ['syndrome', `${hex(aeth.syndrome, 2)} ${describeSyndrome(aeth.syndrome)}`],
            ['MSN', aeth.msn],
          ];
    case 'AtomicAckETH':
      return atomicOriginal === undefined ? [] : [['original value', hex(atomicOriginal, 16)]];
    case 'ImmDt':
      return immediate === undefined ? [] : [['immediate data', hex(immediate, 8)]];
    case 'IETH':
      return invalidateRkey === undefined ? [] : [['R_Key to invalidate', hex(invalidateRkey, 8)]];
    case 'FETH':
      return feth === undefined
        ? []
        : [
            ['placement', feth.placement],
            ['selectivity', feth.selectivity],
          ];
    case 'OOETH':
      return ooeth === undefined
        ? []
        : [
            ['flags', hex(ooeth.flags, 2)],
            ['receive WQE', ooeth.recvWqeSn],
            ['READ WQE', ooeth.readWqeSn],
            ['offset', ooeth.offset],
          ];
    case 'SAETH':
      return saeth === undefined
        ? []
        : [
            ['flags', hex(saeth.flags, 2)],
            ['trigger PSN', saeth.trigger],
          ];
  }
}

const layer = (name: string, offset: number, length: number, fields: readonly Field[]): FrameLayer => ({
  name,
  offset,
  length,
  fields: fields.map(([field, value]) => ({ name: field, value: String(value) })),
});

/**
 * A frame taken apart, header by header, in the order of its bytes and without a gap; what is no RoCEv2 packet is one layer
 * that says why. Never throws.
 */
export function dissect(frame: Uint8Array): FrameLayer[] {
  const decoded = decode(frame);
  const packet = decoded.kind === 'packet' || decoded.kind === 'truncated' ? decoded.packet : undefined;
  if (packet === undefined) {
    const why = decoded.kind === 'packet' ? '' : decoded.reason;
    return [layer('frame', 0, frame.length, [['no packet', why]])];
  }
  const layers: FrameLayer[] = [];
  let at = 0;
  const add = (name: string, length: number, fields: readonly Field[]): void => {
    layers.push(layer(name, at, length, fields));
    at += length;
  };
  const tags = (packet.serviceTci === undefined ? 0 : 4) + (packet.vlanTci === undefined ? 0 : 4);
  add('Ethernet', 14 + tags, ethernet(packet));
  add(`IPv${packet.ipVersion}`, packet.ipVersion === 4 ? 20 : 40, ip(packet));
  const udp = at;
  add('UDP', 8, [
    ['source port', packet.srcPort],
    ['destination port', u16(frame, udp + 2)],
    ['length', u16(frame, udp + 4)],
  ]);
  add('BTH', bthBytes, bth(packet));
  for (const header of packet.info?.headers ?? [])
    add(header, headerBytes[header], extension(header, packet));
  const payload = Math.min(packet.payload.length, frame.length - at);
  if (payload > 0) add('payload', payload, [['bytes', packet.payloadLength]]);
  const padding = Math.max(0, frame.length - at - icrcBytes);
  if (padding > 0) add('padding', padding, [['bytes', padding]]);
  if (frame.length - at === icrcBytes) {
    add('ICRC', icrcBytes, [
      ['value', hex(u32le(frame, at), 8)],
      ['verdict', packet.icrcOk ? 'right' : 'wrong'],
    ]);
  }
  return layers;
}
