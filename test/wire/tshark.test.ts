import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { opcodes } from '../../spec/constants.ts';
import type { OpcodeInfo } from '../../spec/constants.ts';
import { parseIp } from '../../wire/address.ts';
import { decode, encode, writePcap } from '../../wire/index.ts';
import type { Packet, PacketFields } from '../../wire/index.ts';
import { knownOpcodes, packetFields } from './arbitrary.ts';
import { tailOf, toHex } from './tail.ts';
import { dissect, tsharkMissing } from './tshark.ts';

const perOpcode = 30;
const below = `data.data eth.src eth.dst ieee8021ad.id vlan.id ip.src ip.dst ip.ttl ip.dsfield ip.id ip.flags.df
  ip.checksum.status ipv6.src ipv6.dst ipv6.hlim ipv6.tclass ipv6.flow udp.srcport udp.checksum`;
const transport = `bth.opcode bth.se bth.m bth.padcnt bth.tver bth.p_key bth.destqp bth.a bth.reserved7 bth.psn reserved
  vendor rdeth.eecnxt deth.q_key deth.srcqp reth.va reth.r_key reth.dmalen atomiceth.swapdt atomiceth.cmpdt
  aeth.syndrome aeth.msn atomicacketh.origremdt immdt ieth invariant.crc`;
const columns = [...below.split(/\s+/), ...transport.split(/\s+/).map((name) => `infiniband.${name}`)];

// Dissectors that would guess at payloads.
const guessers = [
  'smc',
  'smb_direct',
  'rpcordma',
  'nvme-rdma',
  'lnet',
  'iser',
  'infiniband_sdp',
  'fcoib',
  'infiniband.eoib',
];

/** tshark 4.0 knows these by their BTH at most, and shows all that follows as vendor data. */
function unknownToTshark(info: OpcodeInfo): boolean {
  if (info.service === 'ORC') return true;
  return info.service === 'XRC' || info.kind === 'cnp' || ['FLUSH', 'ATOMIC_WRITE'].includes(info.operation);
}

/**
 * tshark takes service 010 (RD) for a vendor's dynamic connections: eight bytes after the BTH that it steps over, and no
 * RDETH in front of an Acknowledge's AETH. It gets RD packets with as many bytes put in as it wants to skip.
 */
function forTshark(packet: Packet, info: OpcodeInfo): Uint8Array {
  const { frame } = packet;
  if (info.service !== 'RD') return frame;
  const extra = info.operation === 'ACKNOWLEDGE' ? 4 : 8;
  const ip = frame.length - (packet.payloadLength + packet.padCount + 4 + info.headerBytes + 20);
  const tags = (packet.vlanTci === undefined ? 0 : 4) + (packet.serviceTci === undefined ? 0 : 4);
  const wider = Uint8Array.from([
    ...frame.subarray(0, ip + 20),
    ...new Uint8Array(extra),
    ...frame.subarray(ip + 20),
  ]);
  const view = new DataView(wider.buffer);
  for (const at of [14 + tags + (packet.ipVersion === 4 ? 2 : 4), ip + 4]) {
    view.setUint16(at, view.getUint16(at) + extra);
  }
  return wider;
}

interface Case {
  info: OpcodeInfo;
  fields: Required<PacketFields>;
  packet: Packet;
}

function generate(): Case[] {
  return knownOpcodes.flatMap((opcode) =>
    fc
      .sample(packetFields(opcode), { numRuns: perOpcode, seed: opcode + 1 })
      // QPs 0 and 1 carry management datagrams, and low ports name other protocols, which tshark prefers
      .map((fields) => ({
        ...fields,
        destQp: Math.max(fields.destQp, 2),
        deth: { qkey: fields.deth?.qkey ?? 0, srcQp: Math.max(fields.deth?.srcQp ?? 0, 2) },
        srcPort: (fields.srcPort ?? 0) | 0xc000,
        // and it takes payloads that begin with a known ethertype for a raw header
        payload: fields.payload?.map((byte, index) => (index === 0 ? 1 : byte)) ?? new Uint8Array(0),
      }))
      .map((fields) => {
        const decoded = decode(encode(fields));
        if (decoded.kind !== 'packet') throw new Error(decoded.reason);
        return { info: opcodes[opcode]!, fields: fields as Required<PacketFields>, packet: decoded.packet };
      }),
  );
}

const flag = (text: string | undefined): boolean => text === '1' || text === 'True';
const ipBytes = (text: string | undefined): string => toHex(parseIp(text ?? ''));

describe.skipIf(tsharkMissing !== undefined)(
  `tshark as referee${tsharkMissing ? ` (${tsharkMissing})` : ''}`,
  () => {
    const cases = generate();
    let rows: Record<string, string[]>[] = [];

    beforeAll(() => {
      const packets = cases.map(({ packet, info }, n) => ({
        time: BigInt(n),
        data: forTshark(packet, info),
      }));
      rows = dissect(writePcap(packets), columns, [
        '-o',
        'ip.check_checksum:TRUE',
        ...guessers.flatMap((name) => ['--disable-protocol', name]),
      ]);
    });

    it('reads at least 2,000 packets, of every opcode, as RoCEv2', () => {
      expect(cases.length).toBeGreaterThanOrEqual(2000);
      expect(new Set(cases.map((c) => c.info.opcode))).toEqual(new Set(knownOpcodes));
      expect(rows).toHaveLength(cases.length);
      expect(rows.every((row) => row['infiniband.bth.opcode']?.length === 1)).toBe(true);
    });

    it('reads the same Ethernet, IP and UDP headers', () => {
      for (const [n, { packet, info }] of cases.entries()) {
        const row = rows[n]!;
        const first = (name: string): string | undefined => row[name]?.[0];
        const number = (name: string): number => Number(first(name));
        expect([first('eth.src'), first('eth.dst')]).toEqual([packet.srcMac, packet.dstMac]);
        const vlans = [packet.serviceTci, packet.vlanTci].flatMap((t) =>
          t === undefined ? [] : [t & 0xfff],
        );
        expect([row['ieee8021ad.id'], row['vlan.id']].flat().map(Number)).toEqual(vlans);
        const v = packet.ipVersion === 4 ? 'ip' : 'ipv6';
        const addresses = [ipBytes(first(`${v}.src`)), ipBytes(first(`${v}.dst`))];
        expect(addresses).toEqual([ipBytes(packet.srcIp), ipBytes(packet.dstIp)]);
        const { hopLimit, trafficClass, ipId, dontFragment, flowLabel } = packet;
        // widening an RD packet leaves its checksum behind
        const sumOk = info.service === 'RD' || ['1', 'Good'].includes(first('ip.checksum.status') ?? '');
        const seen =
          packet.ipVersion === 4
            ? [number('ip.ttl'), number('ip.dsfield'), number('ip.id'), flag(first('ip.flags.df')), sumOk]
            : [number('ipv6.hlim'), number('ipv6.tclass'), number('ipv6.flow')];
        expect(seen).toEqual(
          packet.ipVersion === 4
            ? [hopLimit, trafficClass, ipId, dontFragment, true]
            : [hopLimit, trafficClass, flowLabel],
        );
        expect([number('udp.srcport'), number('udp.checksum')]).toEqual([packet.srcPort, packet.udpChecksum]);
      }
    });

    it('reads the same BTH', () => {
      for (const [n, { packet }] of cases.entries()) {
        const row = rows[n]!;
        const bth = (name: string): string | undefined => row[`infiniband.bth.${name}`]?.[0];
        const numbers = ['opcode', 'padcnt', 'tver', 'p_key', 'destqp', 'reserved7', 'psn'].map((f) =>
          Number(bth(f)),
        );
        const { opcode, padCount, tver, pkey, destQp, resv7, psn } = packet;
        expect(numbers).toEqual([opcode, padCount, tver, pkey, destQp, resv7, psn]);
        expect([flag(bth('se')), flag(bth('m')), flag(bth('a'))]).toEqual([
          packet.solicited,
          packet.migReq,
          packet.ackReq,
        ]);
        const congestion = (packet.fecn ? 0x80 : 0) | (packet.becn ? 0x40 : 0) | packet.resv6;
        expect(Number.parseInt(row['infiniband.reserved']?.[0] ?? '', 16)).toBe(congestion);
      }
    });

    it('reads the same extension headers, payload and ICRC', () => {
      for (const [n, { packet, info }] of cases.entries()) {
        if (unknownToTshark(info)) continue;
        const row = rows[n]!;
        const read = (name: string): bigint | undefined => {
          const text = row[`infiniband.${name}`]?.[0];
          return text === undefined ? undefined : BigInt(text);
        };
        const bytes = (name: string): string => row[`infiniband.${name}`]?.at(-1) ?? '';
        const big = (value: number | bigint | undefined): bigint | undefined =>
          value === undefined ? undefined : BigInt(value);
        // tshark names no EE context in front of an RD acknowledge's AETH, and shows the VA and key of atomics as RETH
        const eec = info.operation === 'ACKNOWLEDGE' ? undefined : packet.rdeth?.eeContext;
        const { deth, reth, atomicEth, aeth } = packet;
        expect([info.name, read('rdeth.eecnxt')]).toEqual([info.name, big(eec)]);
        expect([read('deth.q_key'), read('deth.srcqp')]).toEqual([big(deth?.qkey), big(deth?.srcQp)]);
        expect([read('reth.va'), read('reth.r_key')]).toEqual([
          big(reth?.va ?? atomicEth?.va),
          big(reth?.rkey ?? atomicEth?.rkey),
        ]);
        expect(read('reth.dmalen')).toBe(big(reth?.dmaLen));
        expect([read('atomiceth.swapdt'), read('atomiceth.cmpdt')]).toEqual([
          atomicEth?.swapOrAdd,
          atomicEth?.compare,
        ]);
        expect([read('aeth.syndrome'), read('aeth.msn')]).toEqual([big(aeth?.syndrome), big(aeth?.msn)]);
        expect(read('atomicacketh.origremdt')).toBe(packet.atomicOriginal);
        const word = (value: number | undefined): string => value?.toString(16).padStart(8, '0') ?? '';
        expect([bytes('immdt'), bytes('ieth')]).toEqual([
          word(packet.immediate),
          word(packet.invalidateRkey),
        ]);
        const padded = toHex(packet.payload) + '00'.repeat(packet.padCount);
        const shown = row['data.data']?.[0] ?? '';
        expect([info.name, shown]).toEqual([info.name, padded]);
        const sent = Number.parseInt(toHex(packet.frame.slice(-4)), 16);
        expect(Number(read('invariant.crc'))).toBe(sent);
      }
    });

    it('shows, of opcodes it does not know, the bytes that the header layouts call for', () => {
      const unknown = cases
        .map((c, n) => ({ ...c, row: rows[n]! }))
        .filter(({ info }) => unknownToTshark(info));
      expect(unknown.length).toBeGreaterThan(20 * perOpcode);
      for (const { packet, info, fields, row } of unknown) {
        const seen = row['infiniband.vendor']?.at(-1);
        expect([info.name, seen]).toEqual([info.name, tailOf(info, fields) + toHex(packet.frame.slice(-4))]);
      }
    });
  },
);
