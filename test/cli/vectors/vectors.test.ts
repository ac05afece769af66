import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../cli/doctor/examine.ts';
import { decode, readCapture } from '../../../wire/index.ts';
import { readProjectFile, root } from '../../project/files.ts';
import { runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
const vectors = join(folder.path, 'vectors');
afterAll(() => folder.remove());
beforeAll(async () => {
  const args = ['vectors', vectors, '--suite', 'rc-responder', '--runs', '60'];
  const { code, stderr } = await runHere(args);
  if (code !== 0) throw new Error(stderr);
});

const files = (at = vectors): string[] => readdirSync(at).filter((name) => name.endsWith('.ndjson'));
const linesOf = (file: string, at = vectors): Record<string, unknown>[] =>
  readFileSync(join(at, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Object(JSON.parse(line)));

describe('vectors', () => {
  it('lists what it wrote, one pcap with each', () => {
    const list: unknown = JSON.parse(readFileSync(join(vectors, 'vectors.json'), 'utf8'));
    expect(list).toMatchObject({
      vectors: files().map((file) => ({ file, pcap: file.replace('.ndjson', '.pcap') })),
    });
    expect(files().length).toBeGreaterThan(30);
  });

  it('holds what a bench does, and nothing that the device did', () => {
    for (const file of files()) {
      const [vector, header, ...steps] = linesOf(file);
      expect(vector).toMatchObject({
        vector: 1,
        dut: { ipv4: '10.0.0.1' },
        profile: { capabilities: ['rc'] },
      });
      expect(header).toMatchObject({ trace: 1, header: { sight: { packets: 'at-device' } } });
      expect(steps.map(({ kind }) => kind)).toContain('settled');
      const others = steps.filter(
        ({ kind, direction }) =>
          !['call', 'memory', 'settled'].includes(String(kind)) && direction !== 'to-dut',
      );
      expect(others).toEqual([]);
    }
  });

  it('has lines as the schema says, and the schema has nothing that a device does', () => {
    const schema = Object(JSON.parse(readProjectFile('spec/schema/vector.schema.json')));
    const validate = new Ajv({ strict: false }).compile(schema);
    for (const line of files().flatMap((file) => linesOf(file)))
      expect(validate(line), `${JSON.stringify(line)}: ${JSON.stringify(validate.errors)}`).toBe(true);
    const done = { kind: 'memory', t: 1, mr: 1, offset: 0 };
    expect(validate({ ...done, length: 4 })).toBe(true);
    expect(validate({ ...done, bytes: 'AAAA' })).toBe(false);
    const frame = { kind: 'frame', t: 1, frame: 'AAAA' };
    expect(validate({ ...frame, direction: 'to-dut' })).toBe(true);
    expect(validate({ ...frame, direction: 'from-dut' })).toBe(false);
    const query = { kind: 'call', t: 1, start: 1, call: 'query_qp', qp: 1 };
    expect(validate(query)).toBe(true);
    expect(validate({ ...query, attr: {} })).toBe(false);
    expect(validate({ kind: 'async', t: 1, event: { event_type: 'IBV_EVENT_SQ_DRAINED' } })).toBe(false);
  });

  it('has the same frames in the pcap, at the same times', () => {
    for (const file of files().slice(0, 20)) {
      const frames = linesOf(file).filter(({ kind }) => kind === 'frame');
      const packets = [...readCapture(join(vectors, file.replace('.ndjson', '.pcap')))].map((record) =>
        record.kind === 'frame'
          ? { t: Number(record.time), frame: Buffer.from(record.data).toString('base64') }
          : record,
      );
      expect(packets).toEqual(frames.map(({ t, frame }) => ({ t, frame })));
    }
  });

  it('resolves addresses, QP numbers and keys for the target', async () => {
    const target = join(folder.path, 'target.json');
    const dut = { mac: '02:00:00:00:00:07', ipv4: '192.168.7.1', gidIndex: { ipv4: 3 } };
    writeFileSync(
      target,
      JSON.stringify({ dut, firstQp: 0x4321, firstKey: 0x5500, firstAddress: '1048576' }),
    );
    const there = join(folder.path, 'there');
    const args = ['vectors', there, '--rule', 'rc-write-complete-asked', '--runs', '20', '--target', target];
    expect(await runHere(args)).toMatchObject({ code: 0 });
    const lines = files(there).flatMap((file) => linesOf(file, there));
    expect(lines.find(({ call }) => call === 'create_qp')).toMatchObject({ qp_num: 0x4321 });
    expect(lines.find(({ call }) => call === 'reg_mr')).toMatchObject({ rkey: 0x5500, addr: '1048576' });
    const packets = lines
      .filter(({ kind }) => kind === 'frame')
      .map(({ frame }) => decode(Buffer.from(String(frame), 'base64')))
      .flatMap((decoded) => (decoded.kind === 'packet' ? [decoded.packet] : []));
    expect(new Set(packets.map(({ dstIp }) => dstIp))).toContain('192.168.7.1');
    expect(new Set(packets.map(({ destQp }) => destQp))).toContain(0x4321);
  });

  it.each([
    ['{"firstQp": 1}', /target\.firstQp must be from 2/],
    ['{"dut": {"mac": "nonsense", "gidIndex": {}}}', /target\.dut\.mac must be a MAC address/],
    ['{"profle": {}}', /target.*profle/],
    ['nonsense', /is no target/],
  ])('names what is wrong with a target: %s', async (text, says) => {
    const target = join(folder.path, 'wrong.json');
    writeFileSync(target, text);
    const { code, stderr } = await runHere(['vectors', join(folder.path, 'none'), '--target', target]);
    expect(stderr).toMatch(says);
    expect(code).toBe(64);
  });
});

const missing = ['make', 'cc'].filter((program) => !hasProgram(program));
const skipped = missing.length > 0 ? ` (skipped: no ${missing.join(', ')})` : '';

describe(`a bench in C that plays vectors${skipped}`, () => {
  const bench = join(folder.path, 'bench');
  const trace = (name: string, ...args: string[]): string => {
    const file = join(folder.path, name);
    const play = (vector: string): string =>
      execFileSync(join(bench, 'play'), args, {
        input: readFileSync(join(vectors, vector)),
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      });
    writeFileSync(file, files().map(play).join(''));
    return file;
  };

  beforeAll(() => {
    if (missing.length > 0) return;
    execFileSync('cp', ['-r', join(root, 'examples', 'c-responder'), bench]);
    execFileSync('make', ['-s', 'clean', 'play'], { cwd: bench, stdio: 'pipe' });
  });

  it.skipIf(missing.length > 0)('records a trace without a violation', async () => {
    const { code, stdout } = await runHere(['judge', trace('conformant.ndjson')]);
    expect(stdout).toMatch(/^rc-responder +\d+ +[4-9]\d/m);
    expect(stdout).not.toMatch(/FAIL/);
    expect(code).toBe(0);
  });

  it.skipIf(missing.length > 0).each([
    ['nak-psn', 'rc-request-ahead'],
    ['silent-duplicate', 'rc-duplicate-send-write-asked'],
  ])('records the fault %s, which judge finds', async (fault, rule) => {
    const { code, stdout } = await runHere(['judge', trace(`${fault}.ndjson`, '--fault', fault)]);
    expect(stdout).toMatch(new RegExp(`^${rule}$`, 'm'));
    expect(code).toBe(1);
  });
});
