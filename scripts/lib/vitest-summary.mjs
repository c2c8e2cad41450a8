import { writeFileSync } from 'node:fs';

/** Writes the data for the final table: counts, and why each skipped test was skipped. */
export default class VitestSummary {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const state = (test) => test.result().state;
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    const failures = tests.filter((test) => state(test) === 'failed');
    const summary = {
      passed: tests.filter((test) => state(test) === 'passed').length,
      failed: failures.length + broken.length + unhandledErrors.length,
      failures: [
        ...failures.map((test) => `${test.module.relativeModuleId}: ${test.fullName}`),
        ...broken.map((module) => `${module.relativeModuleId}: the file itself`),
      ],
      files: [...new Set([...failures.map((test) => test.module), ...broken].map((module) => module.relativeModuleId))],
      skipped: tests
        .filter((test) => state(test) === 'skipped' || state(test) === 'pending')
        .map((test) => ({ name: test.fullName, reason: test.result().note ?? 'no reason was given' })),
    };
    writeFileSync(process.env.SIGNALBOX_TEST_SUMMARY, JSON.stringify(summary));
  }
}
