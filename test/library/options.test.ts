import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { replayCase, resolveAdapter, runConformance, judgeTrace, loadRules } from '../../cli/api.ts';

describe('what the library is handed', () => {
  it.each<[string, object, RegExp]>([
    ['runs', { runs: 'many' }, /runs must be an integer of 0 or more, not "many"/],
    ['fewer than no runs', { runs: -1 }, /runs must be an integer of 0 or more, not -1/],
    ['seed', { seed: -1 }, /seed must be an integer of 0 to 4294967295, not -1/],
    ['level', { level: 'shall' }, /level must be must or should or may, not "shall"/],
    ['suite', { suite: [1] }, /suite must be a string or an array of strings, not \[1\]/],
    ['known', { known: 'known.yaml' }, /known must be an array of known divergences/],
    ['shard', { shard: { i: 3, n: 2 } }, /shard must be \{ i, n \}, integers with 1 <= i <= n/],
    ['properties', { properties: ['psn-walk'] }, /properties must be an array of properties of the suites/],
    ['rules', { rules: {} }, /rules must be what loadRules gives/],
    ['onProgress', { onProgress: 1 }, /onProgress must be a function, not 1/],
    ['bail', { bail: 'yes' }, /bail must be true or false, not "yes"/],
    ['timeLimit', { timeLimit: Number.NaN }, /timeLimit must be a number of 0 or more/],
    ['adapter', { adapter: {} }, /adapter must be an adapter, or what --adapter takes/],
  ])('must be options of their kind, or a run would try nothing and pass: %s', async (_, wrong, message) => {
    await expect(runConformance({ adapter: referenceAdapter(), ...wrong })).rejects.toThrow(message);
  });

  it('may be options that are undefined', async () => {
    const absent: object = { seed: undefined, log: undefined };
    const { cases } = await runConformance({ adapter: referenceAdapter(), runs: 2, ...absent });
    expect(cases).toBe(2);
  });

  it('must be a case, a trace, a name', async () => {
    const none: never = undefined as never;
    await expect(replayCase(none, none)).rejects.toThrow(/adapter must be an adapter/);
    await expect(replayCase('reference', none)).rejects.toThrow(/takes a case/);
    const empty: never = { scenario: {} } as never;
    await expect(replayCase('reference', empty)).rejects.toThrow('scenario: "version" is missing');
    await expect(resolveAdapter(none)).rejects.toThrow(/takes what --adapter takes/);
    expect(() => judgeTrace(none, none, loadRules())).toThrow(/events must be an array of events/);
  });
});
