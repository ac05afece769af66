import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/sequence.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    setupFiles: ['test/seed.ts'],
    // all cores: vitest would leave one of them alone
    maxWorkers: availableParallelism(),
    // a thread keeps the modules that it has loaded: no test file changes what another one sees
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // what is waited for comes from processes, guests and browsers, on machines with much to do
    expect: { poll: { timeout: 20_000 } },
  },
});
