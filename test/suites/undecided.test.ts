import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { judgeTrace, loadRules } from '../../oracle/index.ts';
import type { TraceEvent } from '../../oracle/index.ts';
import { properties } from '../../suites/index.ts';
import { drive } from './drive.ts';

const rules = loadRules();

/** What a device does in cases of a property, none of which the rules may condemn. */
async function tried(id: string, sound: string | undefined): Promise<TraceEvent[]> {
  const adapter = referenceAdapter(sound === undefined ? {} : { sound });
  const property = properties.find((one) => one.id === id);
  if (property === undefined) throw new Error(`no property ${id}`);
  const profile = await adapter.describe();
  const all: TraceEvent[] = [];
  for (const plan of fc.sample(property.arbitrary(profile), { numRuns: 60, seed: 7 })) {
    const { header, events } = await drive(plan, adapter);
    const broken = judgeTrace(header, events, rules).violations.map(
      ({ rule, observed }) => `${rule}: ${observed}`,
    );
    expect(broken, JSON.stringify(plan.steps)).toEqual([]);
    all.push(...events);
  }
  return all;
}

const rearmed = (events: readonly TraceEvent[]): boolean =>
  events.some(
    (e) =>
      e.kind === 'call' &&
      e.call === 'modify_qp' &&
      e.attr.path_mig_state === 'IBV_MIG_REARM' &&
      e.attr.alt_ah_attr === undefined,
  );

const refused = (events: readonly TraceEvent[]): boolean =>
  events.some((e) => e.kind === 'packet' && e.direction === 'from-dut' && e.packet.aeth?.syndrome === 0x61);

describe('cases that no document decides condemn no device', () => {
  it.each([undefined, 'rearm-without-path'])('that is asked to rearm without a path, %s', async (sound) => {
    expect(rearmed(await tried('rc-requester/path-migration-early', sound))).toBe(sound !== undefined);
  });

  it.each([undefined, 'payload-ignored'])('that is sent pad bytes without a place, %s', async (sound) => {
    expect(refused(await tried('rc-responder/pad-without-place', sound))).toBe(sound === undefined);
  });

  it('that is sent wrong numbers', async () => {
    expect(refused(await tried('ooo/wrong-numbers', undefined))).toBe(true);
  });

  it('that may have no READ under way', async () => {
    const events = await tried('rc-requester/no-reads', undefined);
    const posted = events.some(
      (e) => e.kind === 'call' && e.call === 'post_send' && e.wr.opcode === 'IBV_WR_RDMA_READ',
    );
    expect(posted).toBe(true);
  });
});
