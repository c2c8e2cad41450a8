import { writeFileSync } from 'node:fs';

/** A reporter that writes what our table needs: counts, and why each skipped test was skipped. */
export default class VitestSummary {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const state = (test) => test.result().state;
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    const summary = {
      passed: tests.filter((test) => state(test) === 'passed').length,
      failed: tests.filter((test) => state(test) === 'failed').length + broken.length + unhandledErrors.length,
      skipped: tests
        .filter((test) => state(test) === 'skipped' || state(test) === 'pending')
        .map((test) => ({ name: test.fullName, reason: test.result().note ?? 'no reason was given' })),
    };
    writeFileSync(process.env.SIGNALBOX_TEST_SUMMARY, JSON.stringify(summary));
  }
}
