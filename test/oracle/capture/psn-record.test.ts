import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyOf, seenRequest } from '../../../oracle/capture/requests/seen-request.ts';
import { PsnRecord } from '../../../oracle/capture/requests/psn-record.ts';
import type { SeenRequest } from '../../../oracle/capture/requests/seen-request.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode, psnAdd, psnDiff } from '../../../wire/index.ts';
import { seeded } from '../../../adapters/seeded.ts';

const operations = [
  'SEND_ONLY_WITH_IMMEDIATE',
  'RDMA_WRITE_FIRST',
  'RDMA_READ_REQUEST',
  'FETCH_ADD',
  'SEND_ONLY_WITH_INVALIDATE',
];
const mtu = 256;

function requestOf(operation: string, psn: number, random: () => number): SeenRequest {
  const dmaLen = Math.floor(random() * 4 * mtu);
  const reth = { va: BigInt(Math.floor(random() * 2 ** 53)) << 8n, rkey: 0xfffffff0, dmaLen };
  const atomicEth = { va: 8n, rkey: 9, swapOrAdd: 1n, compare: 2n };
  const opcode = opcodeByName(`RC_${operation}`);
  const more = { reth, atomicEth, immediate: 0xfffffffe, invalidateRkey: 0x80000001 };
  const decoded = decode(
    encode({ opcode, destQp: 1, psn, ipId: psn & 0xffff, solicited: psn % 3 === 0, ...more }),
  );
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return seenRequest(decoded.packet, psn * 1000.5);
}

/** The newest 1,024 to 2,048 requests, and the newest 256 to 512 READs, as objects. */
class Model {
  #kept: SeenRequest[] = [];
  #reads: SeenRequest[] = [];

  add(request: SeenRequest): void {
    this.#kept.push(request);
    if (this.#kept.length > 2048) this.#kept = this.#kept.slice(-1024);
    if (request.family !== 'read') return;
    this.#reads.push(request);
    if (this.#reads.length > 512) this.#reads = this.#reads.slice(-256);
  }

  at(psn: number): SeenRequest | undefined {
    return this.#kept.findLast((one) => one.psn === psn);
  }

  readAt(psn: number): SeenRequest | undefined {
    return this.#reads.findLast(({ psn: from, reth }) => {
      const index = psnDiff(psn, from);
      return index >= 0 && index < Math.max(1, Math.ceil((reth?.dmaLen ?? 0) / mtu));
    });
  }
}

describe('the record of what PSNs stand for', () => {
  it('gives each request as it was, and forgets the oldest', () => {
    const shape = fc.record({
      seed: fc.nat(),
      start: fc.nat(0xffffff),
      reads: fc.constantFrom(0.02, 0.3, 0.95),
    });
    fc.assert(
      fc.property(shape, ({ seed, start, reads }) => {
        const random = seeded(seed);
        const [record, model] = [new PsnRecord(), new Model()];
        let psn = start;
        for (let i = 0; i < 5000; i++) {
          const operation = random() < reads ? 'RDMA_READ_REQUEST' : operations[Math.floor(random() * 5)]!;
          const request = requestOf(operation, psn, random);
          if (i % 7 === 0) request.disputed = true;
          record.add(request);
          model.add(request);
          const changed = record.at(psn);
          const same = model.at(psn);
          for (const one of [changed, same]) {
            if (one === undefined || i % 5 !== 0) continue;
            one.lastSeen += 0.25;
            one.sights++;
            one.ipId = undefined;
            if (one.family === 'atomic') one.original = 5n;
          }
          psn = psnAdd(psn, operation === 'RDMA_READ_REQUEST' ? 4 : 1);
          if (i % 50 !== 0) continue;
          const back = psnAdd(psn, -Math.floor(random() * 6000));
          const found = record.at(back);
          expect(found && copyOf(found)).toEqual(model.at(back));
          const read = record.readAt(back, mtu)?.read;
          expect(read && copyOf(read)).toEqual(model.readAt(back));
        }
      }),
      { numRuns: 6 },
    );
  });
});
