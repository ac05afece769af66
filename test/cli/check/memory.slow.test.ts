import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { feedCapture } from '../../../cli/check/feed.ts';
import { captureJudge } from '../../../cli/check/jobs/open.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { encode, psnAdd, readCapture, writePcap } from '../../../wire/index.ts';
import type { CapturedPacket, PacketFields } from '../../../wire/index.ts';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes that are in use once everything is gone that nobody needs. */
function inUse(): number {
  if (typeof collect !== 'function') throw new Error('no garbage collector to call');
  for (let i = 0; i < 3; i++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const body = new Uint8Array(256);
const small = body.subarray(0, 64);
const reth = { va: 0x1000n, rkey: 7, dmaLen: 768 };

/** The packets of a message: a SEND, a WRITE of three packets, or a READ of three responses. */
function* message(kind: number, qp: number, from: number, msn: number): Generator<PacketFields> {
  const to = { destQp: 0x100 + qp, srcIp: '10.0.0.2', dstIp: '10.0.0.1' };
  const back = { destQp: 0x20000 + qp, srcIp: '10.0.0.1', dstIp: '10.0.0.2' };
  const name = (operation: string): number => opcodeByName(`RC_${operation}`);
  const aeth = { syndrome: 0x1f, msn };
  const last = psnAdd(from, 2);
  const middle = psnAdd(from, 1);
  if (kind === 0) {
    yield { ...to, opcode: name('SEND_ONLY'), psn: from, payload: small, ackReq: true };
    yield { ...back, opcode: name('ACKNOWLEDGE'), psn: from, aeth };
  } else if (kind === 1) {
    yield { ...to, opcode: name('RDMA_WRITE_FIRST'), psn: from, reth, payload: body };
    yield { ...to, opcode: name('RDMA_WRITE_MIDDLE'), psn: middle, payload: body };
    yield { ...to, opcode: name('RDMA_WRITE_LAST'), psn: last, payload: body, ackReq: true };
    yield { ...back, opcode: name('ACKNOWLEDGE'), psn: last, aeth };
  } else {
    yield { ...to, opcode: name('RDMA_READ_REQUEST'), psn: from, reth };
    yield { ...back, opcode: name('RDMA_READ_RESPONSE_FIRST'), psn: from, aeth, payload: body };
    yield { ...back, opcode: name('RDMA_READ_RESPONSE_MIDDLE'), psn: middle, payload: body };
    yield { ...back, opcode: name('RDMA_READ_RESPONSE_LAST'), psn: last, aeth, payload: body };
  }
}

interface Shape {
  connections: number;
  messages: number;
  /** connections that get no answer to their last message */
  unanswered?: boolean;
}

/** A capture of connections that take turns, in chunks as those of a file. */
function* chunks({ connections, messages, unanswered = false }: Shape): Generator<Uint8Array> {
  const psns = Array.from({ length: connections }, (_, i) => (i * 7919) & 0xffffff);
  let time = 1_700_000_000_000_000_000n;
  let part: CapturedPacket[] = [];
  let header = 0;
  const written = (): Uint8Array => {
    // a chunk of its own, which stays in memory as a whole where a part of it is kept
    const chunk = new Uint8Array(writePcap(part).subarray(header));
    header = 24;
    part = [];
    return chunk;
  };
  for (let m = 0; m < messages; m++) {
    for (let qp = 0; qp < connections; qp++) {
      const psn = psns[qp] ?? 0;
      const kind = m % 3;
      for (const fields of message(kind, qp, psn, m + 1)) {
        if (unanswered && m === messages - 1 && fields.srcIp === '10.0.0.1') continue;
        part.push({ time: (time += 700n), data: encode(fields) });
      }
      psns[qp] = psnAdd(psn, kind === 0 ? 1 : 3);
      if (part.length > 1000) yield written();
    }
  }
  if (part.length > 0) yield written();
}

const rules = loadRules();

/** Bytes that `check` has in use behind the last packet of a capture, before it reports. */
async function behind(shape: Shape): Promise<number> {
  const before = inUse();
  const judge = captureJudge(
    { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' },
    rules,
    1,
    false,
  );
  const fed = await feedCapture(readCapture(chunks(shape)), (event) => {
    judge.push(event);
  });
  const used = inUse() - before;
  const { violations, inconclusive } = await judge.finish();
  expect([violations, inconclusive]).toEqual([[], []]);
  expect(fed.connections.result([]).total).toBe(shape.connections);
  return used;
}

/** Bytes for one connection: what many take more than few. */
async function each(shape: Omit<Shape, 'connections'>): Promise<number> {
  const [few, many] = [128, 896];
  // functions are compiled, and tables of rules laid out, before anything is measured
  await behind({ ...shape, connections: few });
  const least = await behind({ ...shape, connections: few });
  return ((await behind({ ...shape, connections: many })) - least) / (many - few);
}

describe('memory of check', () => {
  it('is some 25 kB for a connection after 64 messages in one direction', async () => {
    const bytes = await each({ messages: 64 });
    expect(bytes).toBeLessThan(32_000);
  }, 120_000);

  it('is some kB for a connection of which little has come', async () => {
    const bytes = await each({ messages: 2 });
    expect(bytes).toBeLessThan(12_500);
  }, 60_000);

  it('holds no part of the file where requests are not answered', async () => {
    const bytes = await each({ messages: 3, unanswered: true });
    expect(bytes).toBeLessThan(15_000);
  }, 60_000);
});
