import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { nakCodes, opcodes, rnrMicroseconds } from '../../spec/constants.ts';
import { encode, writePcap } from '../../wire/index.ts';
import { knownOpcodes } from './arbitrary.ts';
import { tsharkMissing } from './tshark.ts';

/** Both in the letters that they share: "RDMA_WRITE_LAST_WITH_IMMEDIATE", "RDMA WRITE Last with Immediate". */
function plain(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .replace('CMPSWAP', 'COMPARESWAP');
}

describe.skipIf(tsharkMissing !== undefined)(
  `constants as tshark names them${tsharkMissing ? ` (${tsharkMissing})` : ''}`,
  () => {
    let text = '';

    beforeAll(() => {
      const directory = mkdtempSync(join(tmpdir(), 'rdma-conform-'));
      try {
        const path = join(directory, 'packets.pcap');
        const frames = knownOpcodes.map((opcode) => encode({ opcode, destQp: 2, psn: 1 }));
        for (let syndrome = 0; syndrome < 0x80; syndrome++) {
          frames.push(encode({ opcode: 0x11, destQp: 2, psn: 1, aeth: { syndrome, msn: 0 } }));
        }
        writeFileSync(path, writePcap(frames.map((data) => ({ time: 0n, data }))));
        text = execFileSync('tshark', ['-n', '-V', '-r', path], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
          maxBuffer: 1 << 26,
        });
      } finally {
        rmSync(directory, { recursive: true });
      }
    });

    it('every opcode of RC, UC, UD, RD and XRC that it knows', () => {
      const named = new Map(
        Array.from(text.matchAll(/Opcode: .*\((\w+)\) - (.*) \((\d+)\)$/gm), (m) => [
          Number(m[3]),
          `${m[1]} ${m[2]}`,
        ]),
      );
      expect(named.size).toBeGreaterThan(70);
      for (const [opcode, name] of named) expect(plain(opcodes[opcode]?.name ?? '')).toBe(plain(name));
      const unnamed = knownOpcodes
        .filter((opcode) => !named.has(opcode) && opcodes[opcode]?.service !== 'ORC')
        .map((opcode) => opcodes[opcode]?.operation);
      expect(new Set(unnamed)).toEqual(new Set(['CNP', 'FLUSH', 'ATOMIC_WRITE']));
    });

    it('every RNR timer', () => {
      const timers = new Map(
        Array.from(text.matchAll(/Timer: ([\d.]+) ms \((\d+)\)/g), (m) => [Number(m[2]), Number(m[1])]),
      );
      expect(timers.size).toBe(32);
      for (const [code, ms] of timers) expect(Math.round(ms * 1000)).toBe(rnrMicroseconds[code]);
    });

    it('every NAK code', () => {
      const codes = Array.from(
        text.matchAll(/Error Code: (.*) \((\d+)\)$/gm),
        (m) => [Number(m[2]), m[1]] as const,
      );
      const known = codes.filter(([, name]) => name !== 'Unknown');
      expect(known.map(([code, name]) => [code, plain(name ?? '')])).toEqual(
        nakCodes.map(({ code, title }) => [code, plain(title.replace(/ \(.*/, ''))]),
      );
    });
  },
);
