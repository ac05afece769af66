import { describe, expect, it } from 'vitest';
import { loadMakingBuild } from '../../scripts/net/build.ts';

describe('the net', () => {
  it('finds in a build of today all that it asks of one', async () => {
    const build = await loadMakingBuild('.');
    const rules = build.loadRules();
    expect(build.properties.length).toBeGreaterThan(0);
    expect(build.mutants(rules).length).toBeGreaterThan(0);
  });
});
