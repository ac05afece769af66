import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dissect, tsharkMissing } from '../wire/tshark.ts';
import { be, frameOf, icrcOf, packetOf, pcapOf } from './bytes.ts';
import { Talk, op } from './talk.ts';

const vectors = new Map(
  readFileSync(new URL('../fixtures/wire/icrc-vectors.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^[a-z]/.test(line))
    .map((line) => line.split(' ') as [string, string]),
);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const vector = (name: string): Uint8Array => Uint8Array.from(Buffer.from(vectors.get(name) ?? '', 'hex'));

const built: [string, Uint8Array][] = [
  [
    'rc-ack',
    packetOf(
      { from: '10.0.0.1', to: '10.0.0.2', tos: 0, sourcePort: 0xc000 },
      { opcode: 0x11, qp: 0x12, psn: 1 },
      { headers: be([0x1f, 1], [1, 3]) },
    ),
  ],
  [
    'rc-rnr-nak',
    packetOf(
      { from: '10.0.0.2', to: '10.0.0.1', tos: 0, id: 0x1234, ttl: 255, sourcePort: 0xc001 },
      { opcode: 0x11, qp: 0x11, psn: 0xabcd },
      { headers: be([0x2c, 1], [7, 3]) },
    ),
  ],
  [
    'cnp',
    packetOf(
      { from: '10.0.17.1', to: '10.0.18.1', tos: 0xc2, id: 0x718c, sourcePort: 0 },
      { opcode: 0x81, qp: 0x118, psn: 0, becn: true },
      { payload: new Uint8Array(16) },
    ),
  ],
];

describe('the writer of the catalogue', () => {
  it.each([...vectors.keys()])('has the ICRC of vector %s', (name) => {
    const packet = vector(name);
    expect(packet.length).toBeGreaterThan(40);
    expect(hex(icrcOf(packet.subarray(0, -4)))).toBe(hex(packet.subarray(-4)));
  });

  it.each(built)('writes vector %s byte by byte', (name, packet) => {
    expect(hex(packet)).toBe(hex(vector(name)));
  });
});

describe.skipIf(tsharkMissing !== undefined)('tshark', () => {
  it('reads what the writer writes', () => {
    const { taken } = new Talk()
      .ask(op.writeFirst, 0xffffff, { reth: [1500, 0x2000, 9], bytes: 1024 })
      .ask(op.writeLastImm, 0, { imm: 0xabcd, bytes: 477, ackReq: true })
      .ack(0, 1)
      .cnp();
    const names = ['opcode', 'destqp', 'psn', 'padcnt', 'a'].map((name) => `infiniband.bth.${name}`);
    const packets = dissect(pcapOf(taken), [...names, 'infiniband.reth.dmalen']);
    expect(packets.map((packet) => Object.values(packet).map(([value]) => value))).toEqual([
      ['6', '0x000022', '16777215', '0', '0', '1500'],
      ['9', '0x000022', '0', '3', '1', undefined],
      ['17', '0x000011', '0', '0', '0', undefined],
      ['129', '0x000011', '0', '0', '0', undefined],
    ]);
  });

  it('reads a packet over IPv6', () => {
    const ip = { from: 'fd00::1', to: 'fd00::2' };
    const packet = packetOf(ip, { opcode: op.sendOnly, qp: 3, psn: 4 });
    const read = dissect(pcapOf([{ t: 0, frame: frameOf(packet) }]), ['ipv6.dst', 'infiniband.bth.psn']);
    expect(read).toEqual([{ 'ipv6.dst': ['fd00::2'], 'infiniband.bth.psn': ['4'] }]);
  });
});
