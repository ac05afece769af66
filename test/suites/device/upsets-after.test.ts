import { describe, expect, it } from 'vitest';
import { generateChunk, properties, type Scenario } from '../../../suites/index.ts';
import { membersOf } from '../../../suites/beside.ts';
import { drive } from '../drive.ts';
import { profile } from '../profile.ts';

const property = properties.find(({ id }) => id === 'device/upsets-after');
if (property === undefined) throw new Error('no device/upsets-after');
const cases = generateChunk(property, profile, 5, 0, 40).map(({ scenario }) => scenario);

/** Whether a QP waits for a receiver that was not ready. */
function waits(scenario: Scenario): boolean {
  return membersOf(scenario).some(({ steps }) =>
    steps.some((step) => step.do === 'respond' && step.packet.reply.kind === 'rnr'),
  );
}

describe('upset QPs that are used again', () => {
  it('are some that were set up anew, and some that wait for a receiver', () => {
    expect(cases.some(waits)).toBe(true);
    const states = cases.flatMap((one) =>
      membersOf(one).flatMap(({ steps }) =>
        steps.flatMap((step) => (step.do === 'modify_qp' ? [step.state] : [])),
      ),
    );
    expect(states).toEqual(expect.arrayContaining(['IBV_QPS_RESET', 'IBV_QPS_RTR', 'IBV_QPS_RTS']));
  });

  it('complete something after the upsets', async () => {
    let completed = 0;
    for (const scenario of cases.slice(0, 15)) {
      const { events } = await drive(scenario);
      const rests = events.findIndex(({ kind }) => kind === 'settled');
      if (events.slice(rests).some((e) => e.kind === 'completion' && e.wc.status === 'IBV_WC_SUCCESS'))
        completed++;
    }
    expect(completed).toBeGreaterThan(10);
  });
});
