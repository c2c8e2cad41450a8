import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { WAIT_LIMIT_MS } from './test/support/wait-limit.ts';

/**
 * No test changes a module that another one imports, so modules are loaded once per worker: loading them is half of the work of a small test. Projects don't
 * inherit this setting from the root config.
 */
const isolate = false;

const patient = { poll: { timeout: WAIT_LIMIT_MS } };
/** Longer than any single wait, so that the wait fails first and names what it waited for. */
const UNIT_MS = 2 * WAIT_LIMIT_MS;
const SCENARIO_MS = 5 * WAIT_LIMIT_MS;

export default defineConfig({
  test: {
    // Most tests wait for real processes. On a small machine, running more files than it has processors keeps all of them busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'test/unit/**/*.test.ts'],
          testTimeout: UNIT_MS,
          hookTimeout: UNIT_MS,
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
