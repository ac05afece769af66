import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdapterBroken, DeviceDied, type Adapter, type Bench, type Verbs } from '../../adapters/adapter.ts';
import { inject, packet, recv, settle } from '../../suites/arbitraries/packets.ts';
import { scenarios } from '../../suites/rc-responder/parts.ts';
import type { SuiteProperty } from '../../suites/property.ts';
import { runConformance } from '../../suites/run.ts';
import { decode, type Packet } from '../../wire/index.ts';
import { realTimeReference } from './real-time.ts';

const reason = 'its firmware stops';

/** A device that dies of a packet, with all that it was doing; another one can be opened in its place. */
function mortal(dies: (packet: Packet, bench: number) => boolean): {
  adapter: Adapter;
  opened: () => number;
} {
  const inner = realTimeReference(8, 20e6);
  let opened = 0;
  const open = async (options: Parameters<Adapter['open']>[0]): Promise<Bench> => {
    const bench = await inner.open(options);
    const number = ++opened;
    let dead: DeviceDied | undefined;
    const verbs = new Proxy(bench.verbs, {
      get: (target, name: keyof Verbs) => {
        const call: unknown = target[name];
        if (typeof call !== 'function') return call;
        return (...args: unknown[]): unknown =>
          dead === undefined || name.startsWith('on') ? call.apply(target, args) : Promise.reject(dead);
      },
    });
    const send = (frame: Uint8Array): void => {
      const decoded = decode(frame);
      if (decoded.kind === 'packet' && dies(decoded.packet, number)) dead = new DeviceDied(reason);
      if (dead === undefined) bench.wire?.send(frame);
    };
    const onFrame: NonNullable<Bench['wire']>['onFrame'] = (listener) => bench.wire?.onFrame(listener);
    return { ...bench, verbs, wire: { send, onFrame }, failure: () => dead };
  };
  return { adapter: { ...inner, open }, opened: () => opened };
}

const deadly = 0x666;
const isDeadly = ({ immediate }: Packet): boolean => immediate === deadly;

function sends(immediates: fc.Arbitrary<number>): SuiteProperty {
  return {
    id: 'test/sends',
    suite: 'test',
    says: 'SENDs with immediate data.',
    arbitrary: (profile) =>
      scenarios(profile, immediates, (_, immediate) => ({
        steps: [
          recv(8),
          inject(packet('SEND_ONLY_WITH_IMMEDIATE', { payload: { mtus: 0, bytes: 8 }, immediate })),
          settle,
        ],
      })),
  };
}

const mixed = sends(fc.oneof({ weight: 5, arbitrary: fc.nat(100) }, fc.constant(deadly)));
const options = { seed: 5, runs: 30, confirmations: 3 };

describe('a device that dies', () => {
  it('is opened anew, and the scenario that kills it by itself is the finding', async () => {
    const { adapter, opened } = mortal(isDeadly);
    const result = await runConformance({ ...options, adapter, properties: [mixed] });
    expect(result.cases).toBe(30);
    expect(result.errors).toEqual([]);
    expect(opened()).toBeGreaterThan(1);
    expect(result.failures).toEqual([
      expect.objectContaining({
        rule: 'device-survives-frames',
        observed: reason,
        reproduced: { times: 3, of: 3 },
      }),
    ]);
    expect(result.failures[0]?.ladder.at(-1)?.text).toContain(reason);
  });

  it('is given that scenario first again which did something last, before the others that were under way', async () => {
    const first: number[] = [];
    const { adapter } = mortal((p, bench) => {
      first[bench] ??= p.immediate ?? -1;
      return isDeadly(p);
    });
    await runConformance({ ...options, adapter, properties: [mixed] });
    expect(first[1]).not.toBe(deadly);
    expect(first[2]).toBe(deadly);
  });

  it('is shown as it was seen where the run is interrupted before another one is open', async () => {
    const { adapter } = mortal(isDeadly);
    const interrupt = new AbortController();
    const open: Adapter['open'] = async (asked) => {
      if (interrupt.signal.aborted) throw new AdapterBroken('interrupted while it was opened');
      return adapter.open(asked);
    };
    const result = await runConformance({
      ...options,
      adapter: { ...adapter, open },
      properties: [mixed],
      signal: interrupt.signal,
      onProgress: ({ phase }) => {
        if (phase === 'shrinking') interrupt.abort();
      },
    });
    expect(result.interrupted).toBe(true);
    expect(result.errors).toEqual([]);
    // on a busy machine the device is late now and then, which nothing could show again
    const shown = result.failures.filter(({ rule }) => rule === 'device-survives-frames');
    expect(shown).toEqual([expect.objectContaining({ observed: reason, unconfirmed: true })]);
    expect(shown[0]?.ladder.at(-1)?.text).toContain(reason);
    const [rule] = result.rules.filter(({ id }) => id === 'device-survives-frames');
    expect(rule).toMatchObject({
      verdict: 'inconclusive',
      why: 'seen, but the run ended before it could be seen again',
    });
  });

  it('is an error where no scenario by itself makes it die again', async () => {
    const { adapter } = mortal((p, bench) => isDeadly(p) && bench === 1);
    const result = await runConformance({ ...options, adapter, properties: [mixed] });
    expect(result.failures).toEqual([]);
    expect(result.errors).toEqual([expect.stringContaining(reason)]);
    expect(result.cases).toBe(30);
  });
});
