import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { duplexPair } from './duplex-pair.ts';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { AdapterBroken } from '../../../adapters/adapter.ts';
import { agentClient, greet } from '../../../adapters/agent/client.ts';
import { formatLine, parseFromAgent, parseRequest } from '../../../adapters/agent/protocol.ts';
import { realClock } from '../../../adapters/real-clock.ts';
import { writeCpio } from '../../../adapters/rxe/cpio.ts';
import { moduleDependencies } from '../../../adapters/rxe/kernel/modules.ts';
import { streamWire } from '../../../adapters/rxe/stream-wire.ts';
import { decodeQpAttr, encodeQpAttr, encodeSendWr } from '../../../adapters/verbs/layout.ts';
import type { QpAttr } from '../../../spec/verbs.ts';

function clientOf(answer: (line: string, end: Duplex) => void): ReturnType<typeof agentClient> {
  const [ours, theirs] = duplexPair();
  theirs.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line !== '') answer(line, theirs);
  });
  return agentClient({ input: ours, output: ours }, { limitMs: 300 });
}

describe('agent client', () => {
  it.each([
    ['no JSON', 'Kernel panic\n'],
    ['an unknown message', '{"hello":"world"}\n'],
    ['an answer that nobody asked for', '{"id":77,"ok":1}\n'],
    ['an answer of the wrong type', '{"id":1,"ok":"seven"}\n'],
    ['a negative handle', '{"id":1,"ok":-7}\n'],
  ])('is broken by %s, now and later', async (_, line) => {
    const client = clientOf((_line, end) => end.write(line));
    const error: unknown = await client.call('alloc_pd', {}).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AdapterBroken);
    expect(error).toHaveProperty('message', expect.stringContaining(line.trim()));
    await expect(client.call('alloc_pd', {})).rejects.toBe(error);
  });

  it('gives up on a silent agent, and names the call', async () => {
    const client = clientOf(() => undefined);
    await expect(client.call('alloc_pd', {}, 20)).rejects.toThrow(/alloc_pd in time/);
  });

  it('waits behind other calls as long as these are answered', async () => {
    const client = clientOf((line, end) => {
      const { id } = parseRequest(line);
      setTimeout(() => end.write(`{"id":${id},"ok":1}\n`), id * 150);
    });
    const calls = [1, 2, 3, 4, 5].map(() => client.call('alloc_pd', {}));
    await expect(Promise.all(calls)).resolves.toHaveLength(5);
  });

  it('does not wait for ever behind others', async () => {
    const client = clientOf((line, end) => {
      const { id } = parseRequest(line);
      if (id > 1) setTimeout(() => end.write(`{"id":${id},"ok":1}\n`), 1);
    });
    const forgotten = client.call('alloc_pd', {}, 10);
    const others = async (): Promise<void> => {
      for (;;) await client.call('alloc_pd', {});
    };
    await expect(Promise.all([forgotten, others()])).rejects.toThrow(/alloc_pd in time/);
  });

  it('gives up on a closed channel', async () => {
    const client = clientOf((_line, end) => end.destroy());
    await expect(client.call('alloc_pd', {})).rejects.toBeInstanceOf(AdapterBroken);
  });

  it('refuses another protocol', async () => {
    const info = { device: 'd', max_qp: 1, max_qp_rd_atom: 1, max_msg_sz: 1, active_mtu: 1, gids: [] };
    const client = clientOf((_line, end) =>
      end.write(`${JSON.stringify({ id: 1, ok: { protocol: 99, kernel: 'k', info } })}\n`),
    );
    await expect(greet(client, 300)).rejects.toThrow(/machine.protocol .*spoken here.* 99/);
  });

  it('turns an errno into VerbsError and goes on', async () => {
    let n = 0;
    const client = clientOf((_line, end) =>
      end.write(
        n++ === 0
          ? '{"id":1,"error":{"call":"ibv_alloc_pd","message":"no","errno":12}}\n'
          : '{"id":2,"ok":5}\n',
      ),
    );
    await expect(client.call('alloc_pd', {})).rejects.toMatchObject({
      call: 'ibv_alloc_pd',
      errno: 12,
      said: 'no',
    });
    expect(await client.call('alloc_pd', {})).toBe(5);
  });
});

describe('agent protocol', () => {
  it('carries bytes and 64-bit values', () => {
    const bytes = Buffer.from([0, 255, 10]);
    const line = formatLine({ id: 1, ok: { addr: 0xfedcba9876543210n, bytes } });
    expect(line.trim()).toBe('{"id":1,"ok":{"addr":"18364758544493064720","bytes":"AP8K"}}');
  });

  it('answers any text with a message or an error, on both sides', () => {
    const parsers = [parseRequest, parseFromAgent];
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom(...parsers), (text, parse) => {
        let outcome: unknown;
        try {
          outcome = 'kind' in parse(text) || 'call' in parse(text) ? 'message' : 'neither';
        } catch (error) {
          outcome = error instanceof Error ? error.name : error;
        }
        expect(['message', 'SyntaxError', 'ShapeError']).toContain(outcome);
      }),
    );
  });
});

describe('verbs layouts', () => {
  it('reads back every QP attribute that it writes', () => {
    const u = (bits: number): fc.Arbitrary<number> => fc.nat({ max: 2 ** bits - 1 });
    const attr: fc.Arbitrary<QpAttr> = fc.record({
      qp_state: fc.constantFrom('IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_ERR'),
      path_mtu: fc.constantFrom(256, 512, 1024, 2048, 4096),
      path_mig_state: fc.constantFrom('IBV_MIG_MIGRATED', 'IBV_MIG_REARM', 'IBV_MIG_ARMED'),
      qkey: u(31),
      rq_psn: u(24),
      sq_psn: u(24),
      dest_qp_num: u(24),
      qp_access_flags: fc.subarray(['IBV_ACCESS_REMOTE_WRITE' as const, 'IBV_ACCESS_REMOTE_READ' as const]),
      pkey_index: u(16),
      max_rd_atomic: u(8),
      max_dest_rd_atomic: u(8),
      min_rnr_timer: u(5),
      port_num: u(8),
      timeout: u(5),
      retry_cnt: u(3),
      rnr_retry: u(3),
      en_sqd_async_notify: fc.boolean(),
    });
    fc.assert(
      fc.property(attr, (value) => {
        const { bytes, mask } = encodeQpAttr(value);
        expect(decodeQpAttr(bytes)).toMatchObject(value);
        expect(mask.toString(2).replaceAll('0', '')).toHaveLength(Object.keys(value).length);
      }),
    );
  });

  it('puts immediate data in network order and the key to invalidate in host order', () => {
    const wr = { wr_id: 1, sg_list: [] };
    const imm = encodeSendWr({ ...wr, opcode: 'IBV_WR_SEND_WITH_IMM', imm_data: 0x01020304 });
    expect(imm.toString('hex', 36, 40)).toBe('01020304');
    const inv = encodeSendWr({ ...wr, opcode: 'IBV_WR_SEND_WITH_INV', invalidate_rkey: 0x01020304 });
    expect(inv.toString('hex', 36, 40)).toBe('04030201');
  });
});

describe('guest parts', () => {
  const hasCpio = existsSync('/usr/bin/cpio');
  it.skipIf(!hasCpio)(`writes an archive that cpio reads${hasCpio ? '' : ' (skipped: no cpio)'}`, () => {
    const archive = writeCpio([
      { kind: 'file', path: 'a/b/odd', mode: 0o755, bytes: Buffer.from('12345') },
      { kind: 'link', path: 'a/l', target: 'b/odd' },
      { kind: 'directory', path: 'a/empty' },
    ]);
    const list = execFileSync('cpio', ['-tv', '--quiet'], { input: archive, encoding: 'utf8' });
    expect(list.split('\n').map((line) => line.replace(/^(\S+).* \d\d(\d\d|:\d\d) /, '$1 '))).toEqual([
      'drwxr-xr-x a',
      'drwxr-xr-x a/b',
      '-rwxr-xr-x a/b/odd',
      'lrwxrwxrwx a/l -> b/odd',
      'drwxr-xr-x a/empty',
      '',
    ]);
  });

  it('reads what a module depends on', () => {
    const info = (text: string): Buffer => Buffer.from(`ELF..\0license=GPL\0depends=${text}\0name=x\0`);
    expect(moduleDependencies(info('ib_core,udp-tunnel'))).toEqual(['ib_core', 'udp_tunnel']);
    expect(moduleDependencies(info(''))).toEqual([]);
    expect(moduleDependencies(Buffer.from('nothing'))).toEqual([]);
  });

  it('cuts a byte stream into frames however it arrives', async () => {
    const frames = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(frames, fc.integer({ min: 1, max: 9 }), async (sent, piece) => {
        const [ours, theirs] = duplexPair();
        const clock = realClock();
        const got: Uint8Array[] = [];
        streamWire(theirs, clock).onFrame((frame) => got.push(Uint8Array.from(frame)));
        const parts: Buffer[] = [];
        const recorder = new Duplex({
          read: () => undefined,
          write: (chunk: Buffer, _encoding, done) => {
            parts.push(chunk);
            done();
          },
        });
        const recording = streamWire(recorder, clock);
        for (const frame of sent) recording.send(frame);
        const all = Buffer.concat(parts);
        for (let at = 0; at < all.length; at += piece) ours.write(all.subarray(at, at + piece));
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        expect(got).toEqual(sent);
      }),
      { numRuns: 30 },
    );
  });
});

describe('real clock', () => {
  it('never fires early, and not at all after cancel', async () => {
    const clock = realClock();
    const cancelled: number[] = [];
    clock.setTimer(1e6, () => cancelled.push(clock.now())).cancel();
    const waits = [0, 1e4, 3e5, 1e6, 2.5e6, 7e6];
    const late = await Promise.all(
      waits.map(async (ns) => {
        const began = clock.now();
        await clock.sleep(ns);
        return clock.now() - began - ns;
      }),
    );
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(cancelled).toEqual([]);
  });
});
