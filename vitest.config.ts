import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { PATIENCE_MS } from './test/support/patience.ts';

/**
 * No test changes a module that another one imports: each is loaded once a worker, which is half of the work of a small test. A project does not take it over
 * from what is said for all of them.
 */
const isolate = false;

const patient = { poll: { timeout: PATIENCE_MS } };
/** Longer than any one wait, so that a test fails by naming what did not come. */
const UNIT_MS = 2 * PATIENCE_MS;
const SCENARIO_MS = 5 * PATIENCE_MS;

export default defineConfig({
  test: {
    // Most tests wait for real processes: on a small machine more files at a time than it has processors leave none of them idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'test/unit/**/*.test.ts'],
          testTimeout: UNIT_MS,
          isolate,
          expect: patient,
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          globalSetup: 'scripts/lib/ensure-built.mjs',
          testTimeout: SCENARIO_MS,
          hookTimeout: SCENARIO_MS,
          isolate,
          expect: patient,
        },
      },
    ],
  },
});
