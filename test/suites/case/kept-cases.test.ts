import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { readCase } from '../../../suites/case/index.ts';
import { Executor } from '../../../suites/runner/executor.ts';
import { loadRules } from '../../../oracle/index.ts';

const folder = fileURLToPath(new URL('../../fixtures/cases/', import.meta.url));

// Scenarios of long runs in which the oracle once blamed the reference NIC, whichever of the two was wrong.
it.each(readdirSync(folder))('%s shows no violation', async (file) => {
  const executor = await Executor.open(referenceAdapter(), loadRules(), {});
  const outcome = await executor.run(readCase(join(folder, file)).scenario);
  expect(outcome.kind === 'judged' && outcome.judgement.packets).toBeGreaterThan(3);
  expect(outcome).toMatchObject({ kind: 'judged', judgement: { violations: [] } });
});
