import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opcodes } from '../../spec/constants.ts';
import { decode, encode } from '../../wire/index.ts';
import type { Packet } from '../../wire/index.ts';
import { knownOpcodes, packetFields } from './arbitrary.ts';
import { toHex } from './tail.ts';

const script = fileURLToPath(new URL('../fixtures/wire/scapy_roce.py', import.meta.url));
// Debian's own interpreter: another python3 in front of it on the path has no Debian packages.
const python = '/usr/bin/python3';

const missing: string | undefined = (() => {
  try {
    execFileSync(python, ['-c', 'import scapy.contrib.roce'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'python3-scapy is not installed';
  }
})();

/** Sound IPv4 packets of every opcode: scapy has no ICRC for IPv6. */
function generate(): Packet[] {
  return knownOpcodes.flatMap((opcode) =>
    fc.sample(packetFields(opcode), { numRuns: 4, seed: opcode + 1000 }).map((fields) => {
      const { serviceTci: _service, vlanTci: _vlan, flowLabel: _flow, ...rest } = fields;
      const decoded = decode(encode({ ...rest, srcIp: '10.1.2.3', dstIp: '10.4.5.6', udpChecksum: 0 }));
      if (decoded.kind !== 'packet') throw new Error(decoded.reason);
      return decoded.packet;
    }),
  );
}

describe.skipIf(missing !== undefined)(
  `scapy's RoCE layer as referee${missing ? ` (${missing})` : ''}`,
  () => {
    it('reads the same BTH, AETH, CNP and ICRC in packets of every opcode, and computes the same ICRC', () => {
      const packets = generate();
      const input = packets.map((packet) => toHex(packet.frame)).join('\n');
      const output = execFileSync(python, [script], {
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const rows = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      const expected = packets.map((p) => ({
        opcode: p.opcode,
        solicited: Number(p.solicited),
        migreq: Number(p.migReq),
        padcount: p.padCount,
        version: p.tver,
        pkey: p.pkey,
        fecn: Number(p.fecn),
        becn: Number(p.becn),
        resv6: p.resv6,
        dqpn: p.destQp,
        ackreq: Number(p.ackReq),
        resv7: p.resv7,
        psn: p.psn,
        icrc: Number.parseInt(toHex(p.frame.slice(-4)), 16),
        // scapy binds the AETH to these two opcodes only, on RD without the RDETH that stands before it
        ...(p.info?.name === 'RC_ACKNOWLEDGE' ? p.aeth : {}),
        ...(p.info?.kind === 'cnp' ? { cnpPadding: [0, 0] } : {}),
        icrcOk: true,
      }));
      const same = (row: unknown, index: number): boolean =>
        opcodes[packets[index]!.opcode]?.name !== 'RD_ACKNOWLEDGE';
      expect(rows).toHaveLength(expected.length);
      expect(rows.filter(same)).toEqual(expected.filter(same));
    });
  },
);
