import { describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { properties } from '../../../suites/index.ts';
import { Hunter } from '../../../suites/mutants/index.ts';

const rules = loadRules();

// That every mutant dies is seen in test/cli/mutants.slow.test.ts, where all cores hunt them.
describe('a hunt', () => {
  const hunter = new Hunter({ rules, properties, limit: 60 });

  it('ends at the first violation of a rule that was asked for, and is the same every time', async () => {
    const one = await hunter.hunt('ack-request-ignored', 1, ['rc-write-complete-asked']);
    expect(one.deaths).toHaveLength(1);
    expect(one.deaths[0]).toMatchObject({ rule: 'rc-write-complete-asked', cases: one.cases });
    expect(one.cases).toBeLessThan(60);
    expect(await hunter.hunt('ack-request-ignored', 1, ['rc-write-complete-asked'])).toEqual(one);
    expect(await hunter.hunt('ack-request-ignored', 2, ['rc-write-complete-asked'])).not.toEqual(one);
  });

  it('goes on until every rule was seen violated, where that is asked for', async () => {
    const wanted = ['rc-send-complete-asked', 'rc-write-complete-asked'];
    const { deaths } = await hunter.hunt('ack-request-ignored', 1, wanted, { every: true });
    expect(deaths.map(({ rule }) => rule).toSorted()).toEqual(wanted);
  });

  it('survived, runs through all its cases and tells of other rules on the way', async () => {
    const found = await hunter.hunt('ack-request-ignored', 1, ['rc-drop-pkey']);
    expect(found).toMatchObject({ cases: 60, deaths: [] });
    expect(found.others).toContain('rc-write-complete-asked');
    expect(await hunter.hunt('ack-request-ignored', 1, ['rc-drop-pkey'], { limit: 5 })).toMatchObject({
      cases: 5,
    });
  });

  it('takes any violation for a mutant that must not be caught', async () => {
    const { deaths } = await hunter.hunt('ack-request-ignored', 1, []);
    expect(deaths[0]?.rule).toMatch(/^rc-(send|write)-(packet|complete)-asked$/);
  });
});

describe('the reach of a suite', () => {
  it('is what its cases exercise on a sound device', async () => {
    const gaps = properties.filter(({ id }) => id === 'rc-responder/psn-gap');
    const reached = await new Hunter({ rules, properties: gaps, limit: 60 }).reach(1, 60);
    expect(reached).toContain('rc-request-ahead');
    expect(reached).not.toContain('rc-drop-bad-icrc');
  });
});
