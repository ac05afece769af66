import { describe, expect, it } from 'vitest';
import { generateChunk } from '../../../suites/index.ts';
import { drive } from '../drive.ts';
import { profile } from '../profile.ts';
import { broken, propertyNamed } from './parts.ts';

/** States in which the QP of the device was while packets came to it, or left it, in so many cases. */
async function statesWithPackets(id: string, cases: number): Promise<Set<string>> {
  const states = new Set<string>();
  for (const { scenario } of generateChunk(propertyNamed(id), profile, 5, 0, cases)) {
    let state: string | undefined;
    for (const event of (await drive(scenario)).events) {
      if (event.kind === 'call' && event.call === 'modify_qp') state = event.attr.qp_state ?? state;
      if (event.kind === 'packet' && state !== undefined) states.add(state.replace('IBV_QPS_', ''));
    }
  }
  return states;
}

describe('cases in other states', () => {
  it.each(['rc-responder', 'uc', 'ud'])('of %s have packets in RTR, RTS and SQD', async (machine) => {
    const states = await statesWithPackets(`${machine}/other-states`, 60);
    expect([...states].toSorted()).toEqual(expect.arrayContaining(['RTR', 'RTS', 'SQD']));
  });

  it('of a requester have packets in RTS and SQD', async () => {
    const states = await statesWithPackets('rc-requester/other-states', 60);
    expect([...states].toSorted()).toEqual(['RTS', 'SQD']);
  });

  it('show a responder that says nothing in SQD, and a requester that stops there', async () => {
    expect(await broken('silent-in-sqd', 'rc-responder/other-states', 60)).not.toEqual([]);
    expect(await broken('sqd-stops-midway', 'rc-requester/other-states', 120)).not.toEqual([]);
  });
});
