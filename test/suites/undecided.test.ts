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

describe('cases that no document decides', () => {
  it.each([
    ['rc-requester/path-migration-early', undefined],
    ['rc-requester/path-migration-early', 'rearm-without-path'],
    ['rc-requester/no-reads', undefined],
    ['rc-responder/pad-without-place', undefined],
    ['rc-responder/pad-without-place', 'payload-ignored'],
    ['ooo/wrong-numbers', undefined],
  ] as const)('of %s condemn no device, %s', async (id, sound) => {
    const events = await tried(id, sound);
    const taken = events.some(
      (e) =>
        e.kind === 'call' &&
        e.call === 'modify_qp' &&
        e.attr.path_mig_state === 'IBV_MIG_REARM' &&
        e.attr.alt_ah_attr === undefined,
    );
    if (id.endsWith('early')) expect(taken).toBe(sound !== undefined);
    const naks = events.filter(
      (e) => e.kind === 'packet' && e.direction === 'from-dut' && e.packet.aeth?.syndrome === 0x61,
    );
    if (id.startsWith('rc-responder')) expect(naks.length > 0).toBe(sound === undefined);
    if (id.startsWith('ooo')) expect(naks.length).toBeGreaterThan(0);
  });
});
