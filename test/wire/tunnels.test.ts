import { describe, expect, it } from 'vitest';
import { decode, decodeCaptured, encode, writePcap } from '../../wire/index.ts';
import type { CaptureFrame, PacketFields } from '../../wire/index.ts';
import { linktypeOf, scapyMissing, tunnelled } from './scapy-tunnels.ts';
import { dissect, tsharkMissing } from './tshark.ts';

// what tshark cannot know, or guesses
const guided = ['udp.port==8472,vxlan', 'mpls.label==200,pwethnocw', 'mpls.label==100,pwethcw'].flatMap(
  (as) => ['-d', as],
);

/** Every tunnel of the script: what it is called, and the network it names. */
const known: Readonly<Record<string, [tunnels: string[], network?: string]>> = {
  vxlan: [['VXLAN'], 'VXLAN 5'],
  'vxlan-6': [['VXLAN'], 'VXLAN 5'],
  'vxlan-linux': [['VXLAN'], 'VXLAN 5'],
  'vxlan-other': [['VXLAN'], 'VXLAN 6'],
  'vxlan-outer-tag': [['VXLAN'], 'VXLAN 5'],
  geneve: [['GENEVE'], 'GENEVE 77'],
  'geneve-options': [['GENEVE'], 'GENEVE 77'],
  gre: [['GRE']],
  'gre-ethernet': [['GRE']],
  'gre-all-fields': [['GRE'], 'NVGRE 4660'],
  'gre-6': [['GRE']],
  'erspan-1': [['ERSPAN I']],
  'erspan-2': [['ERSPAN II']],
  'erspan-2-marked': [['ERSPAN II']],
  'erspan-3': [['ERSPAN III']],
  'erspan-3-platform': [['ERSPAN III']],
  'erspan-3-ip': [['ERSPAN III']],
  'erspan-2-of-vxlan': [['ERSPAN II', 'VXLAN'], 'VXLAN 5'],
  mpls: [['MPLS']],
  'mpls-ethernet': [['MPLS']],
  'mpls-control-word': [['MPLS']],
  'mpls-udp': [['MPLS in UDP', 'MPLS']],
  'vlan-stack': [['VLAN stack']],
  'vlan-old': [['VLAN stack']],
  erf: [[]],
  'erf-extension': [[]],
  'erf-colour': [[]],
  'erf-vxlan': [['VXLAN'], 'VXLAN 5'],
};

const versions = [
  { version: 4, addresses: {} },
  { version: 6, addresses: { srcIp: 'fd00::1', dstIp: 'fd00::2' } },
] as const;

const plain = (more: Partial<PacketFields> = {}): Uint8Array =>
  encode({
    opcode: 0x04,
    destQp: 0x12,
    psn: 100,
    ackReq: true,
    trafficClass: 2,
    payload: Uint8Array.of(1, 2, 3),
    ...more,
  });

function captured(tunnel: string, data: Uint8Array, more: Partial<CaptureFrame> = {}): CaptureFrame {
  const linktype = linktypeOf(tunnel);
  return {
    kind: 'frame',
    number: 1,
    time: 0n,
    interface: 0,
    linktype,
    data,
    originalLength: data.length,
    comments: [],
    ...more,
  };
}

const inTunnel = (tunnel: string, frame = plain()): Uint8Array => tunnelled([[tunnel, frame]])[0]!;

/** All that a packet says above Ethernet, which a tunnel of IP packets does not carry. */
function aboveEthernet(frame: Uint8Array): unknown {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  const { dstMac: _to, srcMac: _from, vlanTci: _tag, ...rest } = decoded.packet.fields();
  return { ...rest, icrcOk: decoded.packet.icrcOk, sum: decoded.packet.ipChecksumOk };
}

describe.skipIf(scapyMissing !== undefined)(
  `packets in tunnels that scapy builds${scapyMissing ? ` (${scapyMissing})` : ''}`,
  () => {
    const names = Object.keys(known);

    it.each(versions)('are the same packets, of IPv$version', ({ addresses, version }) => {
      const frame = plain(addresses);
      const frames = tunnelled(names.map((name) => [name, frame]));
      const read = names.map((name, i) => {
        const decoded = decodeCaptured(captured(name, frames[i]!));
        if (decoded.kind !== 'packet') return { name, reason: decoded.reason };
        const { tunnels, network } = decoded.within ?? {};
        return { name, tunnels, network, fields: aboveEthernet(decoded.packet.frame) };
      });
      const expected = names.map((name) => {
        const [tunnels, network] = known[name]!;
        return { name, tunnels, network, fields: aboveEthernet(frame) };
      });
      expect(read).toEqual(expected);
      const [ipInIp] = tunnelled([['ip-in-ip', frame]]);
      const decoded = decodeCaptured(captured('ip-in-ip', ipInIp!));
      expect(decoded).toMatchObject({ kind: 'packet', within: { tunnels: [`IPv${version} in IP`] } });
    });

    it('are kept for the tests that do without scapy (made anew by `vitest run test/wire/tunnels.test.ts -u`)', async () => {
      const both = versions.flatMap(({ addresses }) =>
        names.map((name) => [name, plain(addresses)] as const),
      );
      const lines = tunnelled(both).map(
        (frame, i) => `${both[i]![0]} ${Buffer.from(frame).toString('hex')}\n`,
      );
      await expect(lines.join('')).toMatchFileSnapshot('../fixtures/wire/tunnels.txt');
    });

    it('keep the Ethernet header where the tunnel carries one, and the innermost tag of a stack', () => {
      const frame = plain({ vlanTci: 0x2005 });
      for (const name of [
        'vxlan',
        'geneve',
        'gre-ethernet',
        'erspan-2',
        'erspan-3',
        'mpls-control-word',
        'erf',
      ]) {
        const decoded = decodeCaptured(captured(name, inTunnel(name, frame)));
        expect([name, 'packet' in decoded && decoded.packet?.frame]).toEqual([name, frame]);
      }
      const stack = decodeCaptured(captured('vlan-stack', inTunnel('vlan-stack')));
      expect(stack).toMatchObject({ packet: { vlanTci: 9, srcMac: '02:00:00:00:00:01' } });
    });

    it.each(versions)(
      'have the mark that a switch set in the header around them, of IPv$version',
      ({ addresses }) => {
        const marked = (tunnel: string, ecn: number): unknown => {
          const data = inTunnel(tunnel, plain({ ...addresses, trafficClass: 0x68 | ecn }));
          const before = data.slice();
          const decoded = decodeCaptured(captured(tunnel, data));
          expect(data).toEqual(before);
          if (decoded.kind !== 'packet') throw new Error(decoded.reason);
          const { packet } = decoded;
          return [packet.ecn, packet.trafficClass >> 2, packet.ipChecksumOk, packet.icrcOk];
        };
        expect([0, 1, 2, 3].map((ecn) => marked('vxlan-marked', ecn))).toEqual([
          [0, 0x1a, true, true],
          [3, 0x1a, true, true],
          [3, 0x1a, true, true],
          [3, 0x1a, true, true],
        ]);
        // the path of a copy is not that of the packet
        expect(marked('erspan-2-marked', 2)).toEqual([2, 0x1a, true, true]);
      },
    );

    it('are cut where a fragment, a mirror or the capture cuts them, and still show their headers', () => {
      const frame = plain({ payload: new Uint8Array(200).fill(7) });
      for (const name of ['vxlan-first-fragment', 'vxlan-fragment-6'])
        expect(decodeCaptured(captured(name, inTunnel(name, frame)))).toMatchObject({
          kind: 'truncated',
          packet: { psn: 100, payloadLength: 200 },
        });
      // a mirror that copies 100 bytes, and says so nowhere
      expect(
        decodeCaptured(captured('erspan-2', inTunnel('erspan-2', frame.subarray(0, 100)))),
      ).toMatchObject({
        kind: 'truncated',
        packet: { psn: 100 },
      });
      // an overlay does not cut
      expect(decodeCaptured(captured('vxlan', inTunnel('vxlan', frame.subarray(0, 100))))).toMatchObject({
        kind: 'malformed',
      });
      const whole = inTunnel('vxlan', frame);
      const kinds = Array.from({ length: whole.length }, (_, length) => {
        const decoded = decodeCaptured(
          captured('vxlan', whole.subarray(0, length), { originalLength: whole.length }),
        );
        return decoded.kind === 'truncated' && decoded.packet !== undefined ? 'headers' : decoded.kind;
      });
      const headers = 14 + 20 + 8 + 8 + 14 + 20 + 8 + 12;
      expect(kinds.slice(0, headers)).toEqual(Array.from({ length: headers }, () => 'truncated'));
      expect(kinds.slice(headers)).toEqual(Array.from({ length: whole.length - headers }, () => 'headers'));
    });

    it('that are no RoCEv2 packets say what they are in', () => {
      const other = plain();
      other[23] = 6;
      const reason = (tunnel: string, frame: Uint8Array): unknown => {
        const decoded = decodeCaptured(captured(tunnel, frame));
        return 'reason' in decoded ? [decoded.kind, decoded.reason] : decoded.kind;
      };
      expect(reason('vxlan', inTunnel('vxlan', other))).toEqual(['not-roce', 'in VXLAN: IP protocol 6']);
      expect(reason('erspan-2-of-vxlan', inTunnel('erspan-2-of-vxlan', other))).toEqual([
        'not-roce',
        'in ERSPAN II, VXLAN: IP protocol 6',
      ]);
      const anonymous = inTunnel('vxlan');
      anonymous[42] = 0;
      expect(reason('vxlan', anonymous)).toEqual(['not-roce', 'UDP port 4789']);
      const newer = inTunnel('erspan-2');
      newer[42] = 0x90;
      expect(reason('erspan-2', newer)).toEqual(['not-roce', 'IP protocol 47']);
      const infiniband = inTunnel('erf');
      infiniband[8] = 21;
      expect(reason('erf', infiniband)).toEqual(['not-roce', 'ERF record of type 21, no Ethernet']);
      expect(reason('erf', infiniband.subarray(0, 10))).toEqual([
        'truncated',
        'cut short within the link header',
      ]);
    });

    it('may be in several tunnels, up to a bound', () => {
      let frame = plain();
      const depths: string[] = [];
      for (let depth = 1; depth <= 12; depth++) {
        frame = inTunnel('vxlan', frame);
        depths.push(decodeCaptured(captured('vxlan', frame)).kind);
      }
      expect(depths.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'packet'));
      expect(depths.at(-1)).toBe('not-roce');
    });

    it.skipIf(tsharkMissing !== undefined)(`are read the same by tshark${tsharkMissing ?? ''}`, () => {
      // tshark 4.0 reads no IP behind ERSPAN III
      const read = names.filter((name) => name !== 'erspan-3-ip');
      const frames = tunnelled(read.map((name, i) => [name, plain({ psn: 1000 + i, destQp: 0x20 + i })]));
      const columns = ['infiniband.bth.psn', 'infiniband.bth.destqp'];
      for (const linktype of [1, 197]) {
        const chosen = read.flatMap((name, i) => (linktypeOf(name) === linktype ? [i] : []));
        const packets = chosen.map((i) => ({ time: BigInt(i), data: frames[i]! }));
        const rows = dissect(writePcap(packets, { linktype }), columns, guided);
        const said = rows.map((row, n) => [
          read[chosen[n]!],
          ...columns.map((column) => row[column]?.map(Number)),
        ]);
        expect(said).toEqual(chosen.map((i) => [read[i], [1000 + i], [0x20 + i]]));
      }
    });
  },
);
