import fc from 'fast-check';

/** The cases of a property are the same in each run, so that a red test means a change; FC_SEED=N tries others. */
export const testSeed = Number(process.env['FC_SEED'] ?? 1);

fc.configureGlobal({ seed: testSeed });
