import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['conformance/*.test.ts', 'test/*.test.ts'], testTimeout: 60_000 },
});
