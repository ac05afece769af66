import type { RateRecord } from '../../spec/congestion.ts';
import { AdapterBroken, VerbsError } from '../adapter.ts';
import type { Bench, Clock, Wire } from '../adapter.ts';
import type { AgentClient } from '../agent/client.ts';
import { remoteVerbs } from '../agent/remote-verbs.ts';
import { gidFollows, portFollows } from '../port-follows.ts';
import { realClock } from '../real-clock.ts';
import { DrivenClock } from './driven-clock.ts';
import type { Link } from './link.ts';

/** `underWay` is called with every frame that has been sent and not yet been taken. */
function wireOf(client: AgentClient, clock: Clock, underWay: (delivery: Promise<unknown>) => void): Wire {
  let listener: (frame: Uint8Array, time: number) => void = () => undefined;
  client.onFrame = (frame) => listener(frame, clock.now());
  return {
    send: (frame) => {
      const delivery = client.call('deliver', { frame: Buffer.from(frame) });
      delivery.catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        client.fail(`the device does not take a frame: ${why}`);
      });
      underWay(delivery);
    },
    onFrame: (next) => {
      listener = next;
    },
  };
}

async function begin(client: AgentClient): Promise<void> {
  try {
    await client.call('reset', {});
  } catch (error) {
    if (!(error instanceof VerbsError)) throw error;
    throw new AdapterBroken(`the device refuses to begin anew: ${error.message}`);
  }
}

/**
 * A greeted device as a bench. `release` is what becomes of the link afterwards. Closing it throws AdapterBroken where a call has
 * not been answered, and is not while it is waited for.
 */
export async function benchOf(link: Link, release: () => Promise<void>): Promise<Bench> {
  const { client, hello } = link;
  const { profile, dut, peer } = hello;
  const optional = new Set(hello.calls);
  const driven = profile.clock === 'virtual' ? new DrivenClock(client) : undefined;
  const clock = driven ?? realClock();
  link.watch(driven);
  if (driven !== undefined) await begin(client);
  const underWay = (delivery: Promise<unknown>): void => driven?.delivering(delivery);
  const verbs = remoteVerbs(client, clock, (call) => optional.has(call));
  const setLink = async (up: boolean): Promise<void> => {
    await client.call('set_link', { up });
    if (profile.clock === 'real') await portFollows(verbs, up);
  };
  const setGid = async (present: boolean): Promise<string> => {
    const gid = await client.call('set_gid', { present });
    if (profile.clock === 'real') await gidFollows(verbs, gid, present);
    return gid;
  };
  const close = async (): Promise<void> => {
    try {
      if (client.failure() === undefined) await client.idle();
    } finally {
      await release();
    }
  };
  return {
    profile,
    clock,
    verbs,
    ...(profile.wire !== 'none' && { wire: wireOf(client, clock, underWay) }),
    ...(optional.has('set_link') && { setLink }),
    ...(optional.has('set_gid') && { setGid }),
    ...(profile.clock === 'real' && { echo: async () => void (await client.call('ping', {})) }),
    ...(profile.capabilities.includes('rate-reports') && {
      onRate: (listener: (record: RateRecord, time: number) => void) => {
        client.onRate = (record) => listener(record, clock.now());
      },
    }),
    onLog: (listener) => {
      client.onLog = (line) => listener(line, clock.now());
    },
    failure: () => client.failure(),
    dut,
    peer,
    close,
  };
}
