import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Judge, loadRules } from '../../../oracle/index.ts';
import type { Judgement } from '../../../oracle/index.ts';
import { decode } from '../../../wire/index.ts';
import { framesBetween, plans } from '../capture/between-nics.ts';
import type { Plan } from '../capture/between-nics.ts';

const rules = loadRules();

/** Judges what a capture between two reference NICs holds, taken before the wire's faults. */
async function judged(plan: Plan): Promise<Judgement> {
  const judge = new Judge({ sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' }, rules);
  const frames = await framesBetween({ ...plan, place: 'before' });
  for (const [i, { t, frame }] of frames.entries()) {
    const decoded = decode(frame);
    if (decoded.kind !== 'packet') throw new Error(`no packet: ${decoded.reason}`);
    judge.push({ kind: 'packet', t, direction: 'unknown', packet: decoded.packet, number: i + 1 });
  }
  return judge.finish();
}

describe('a capture between two reference NICs, before the wire loses, doubles or delays packets', () => {
  it('shows no violation', async () => {
    let doubts = 0;
    let packets = 0;
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const judgement = await judged(plan);
        expect(judgement.violations).toEqual([]);
        doubts += judgement.inconclusive.length;
        packets += judgement.packets;
      }),
      // a gate says the same every time; RUNS=1000 goes hunting
      process.env['RUNS'] === undefined ? { numRuns: 60, seed: 1 } : { numRuns: Number(process.env['RUNS']) },
    );
    // a judge that gives up at every packet would find nothing either
    expect(doubts).toBeLessThan(packets / 20);
  }, 60_000);
});
