import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode, writePcap, type CapturedPacket } from '../../../wire/index.ts';
import { clean, faults } from '../../captures/catalogue.ts';
import type { Clean, Fault } from '../../captures/entries.ts';
import { command, run, runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const start = 1_700_000_000_000_000_000n;

/** The frame between other hosts, as far as it is a packet. */
function moved(frame: Uint8Array, network: number): Uint8Array {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet' || decoded.packet.ipVersion !== 4) return frame;
  const fields = decoded.packet.fields();
  const there = (ip = ''): string => ip.replace(/^10\.0\.0\./, `10.${network >> 8}.${network & 255}.`);
  return encode({ ...fields, srcIp: there(fields.srcIp), dstIp: there(fields.dstIp) });
}

const allFaults = [...faults.values()].flat();

/** The ends at whose ports captures with faults were taken that show nowhere else. */
const ports = allFaults.flatMap(({ complete }, i) =>
  complete === undefined || (complete.timeout ?? 14) !== 14
    ? []
    : complete.addresses.map((address) => address.replace(/^10\.0\.0\./, `10.0.${i + 1}.`)),
);

/** Captures of the catalogue at the same time, each between hosts of its own. */
function together(captures: readonly (Fault | Clean)[]): CapturedPacket[] {
  return captures
    .flatMap(({ talk: { taken } }, i) =>
      taken.map(({ t, frame }) => ({ time: start + BigInt(Math.round(t)), data: moved(frame, i + 1) })),
    )
    .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** More connections than are followed at a time, between many hosts, of RC and of UC. */
function many(): CapturedPacket[] {
  const services = ['RC_SEND_ONLY', 'UC_SEND_ONLY'];
  return Array.from({ length: 36_000 }, (_, i) => ({
    time: start + BigInt(i) * 1000n,
    data: encode({
      opcode: opcodeByName(services[i % 2] ?? ''),
      srcIp: `10.1.${(i >> 1) % 100}.1`,
      dstIp: '10.2.0.1',
      destQp: 0x100 + i,
      psn: 7 * i,
      ackReq: i % 2 === 0,
    }),
  }));
}

function save(name: string, packets: readonly CapturedPacket[]): string {
  writeFileSync(join(folder.path, name), writePcap(packets));
  return name;
}

/** What the command says with so many threads, without its times. */
async function said(jobs: number, ...args: string[]): Promise<object> {
  const asked = [
    'check',
    ...args,
    '--jobs',
    String(jobs),
    '--reporter',
    'json=r.json',
    '--reporter',
    'pretty',
  ];
  const { code, stdout, stderr } = await (jobs === 1 ? runHere : run)(asked, { cwd: folder.path });
  const json = readFileSync(join(folder.path, 'r.json'), 'utf8').replace(/"durationMs": \d+/, '');
  return { code, stdout: stdout.replace(/, [\d.]+ s$/m, ''), stderr, json };
}

describe('check --jobs', () => {
  const file = save('everything.pcap', together([...allFaults, ...clean]));

  it.each([
    { what: 'without flags', flags: [], broken: ['rc-msn-counts-messages'], jobs: 2 },
    {
      what: 'where packets are lacking, and of CNPs',
      flags: ['--complete', '--profile', 'paper'],
      broken: ['rc-repeat-same', 'cc-cnp-becn'],
      jobs: 2,
    },
    {
      what: 'where nothing is lacking',
      flags: [
        '--complete',
        '--timeout',
        '14',
        ...ports.flatMap((port) => ['--at', port]),
        '--at',
        '192.0.2.1',
      ],
      broken: ['rc-retransmission-uncaused'],
      jobs: 3,
    },
  ])('comes to what one thread comes to $what', async ({ flags, broken, jobs }) => {
    const one = await said(1, file, ...flags);
    expect(one).toMatchObject({ code: 1 });
    for (const rule of broken)
      expect(one).toMatchObject({ json: expect.stringContaining(`"rule": "${rule}"`) });
    expect(await said(jobs, file, ...flags)).toEqual(one);
  });

  it('follows no further whom one thread would follow no further', async () => {
    const crowd = save('many.pcap', many());
    const one = await said(1, crowd, '--complete');
    expect(one).toMatchObject({
      json: expect.stringMatching(/connections that were quiet for longest[^]*UC and UD senders/),
    });
    expect(await said(2, crowd, '--complete')).toEqual(one);
  });

  it('judges a pipe, and tells violations as they are found', async () => {
    const few = allFaults.filter(({ rules }) => rules.includes('rc-msn-counts-messages'));
    const child = spawn(process.execPath, [command, 'check', '-', '--jobs', '2'], { cwd: folder.path });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdin.end(writePcap(together(few)));
    expect(await closed).toBe(1);
    expect(stderr).toMatch(/^frame \d+ at [^\n]*: rc-msn-counts-messages: expected/m);
  });

  it('takes 1 to 64 threads', async () => {
    for (const jobs of ['0', '65', 'x']) {
      const { code, stderr } = await runHere(['check', file, '--jobs', jobs], { cwd: folder.path });
      expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining('--jobs') });
    }
  });
});
