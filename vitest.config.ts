import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * No test changes a module that another one imports: each is loaded once a worker, which is half of the work of a small test. A project does not take it over
 * from what is said for all of them.
 */
const isolate = false;

/** What is waited for comes late on a busy machine; that it took more than a second says nothing. */
const patient = { poll: { timeout: 15_000 } };

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
          testTimeout: 20_000,
          isolate,
          expect: patient,
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          globalSetup: 'scripts/lib/ensure-built.mjs',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate,
          expect: patient,
        },
      },
    ],
  },
});
