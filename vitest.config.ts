import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Most tests wait for real processes: one more file at a time than vitest would take on a small machine is a third faster.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'test/unit/**/*.test.ts'], testTimeout: 20_000 } },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          globalSetup: 'scripts/lib/ensure-built.mjs',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
