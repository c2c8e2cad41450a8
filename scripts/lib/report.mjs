/** Runs stages one after another and prints each result; a stage can depend on an earlier one. */
export async function runStages(stages) {
  const rows = [];
  for (const stage of stages) {
    const blocker = rows.find((row) => row.name === stage.needs && row.failed > 0);
    rows.push(blocker ? skippedRow(stage, blocker) : await runOne(stage));
  }
  return rows;
}

function skippedRow(stage, blocker) {
  return { name: stage.name, seconds: 0, passed: 0, failed: 0, skipped: [{ name: stage.name, reason: `the stage "${blocker.name}" failed` }] };
}

export async function runOne(stage) {
  process.stdout.write(`\n── ${stage.name} (at most ${stage.limitMs / 1000} s)\n`);
  const startedAt = Date.now();
  const result = await stage.run();
  if (result.failed > 0 && result.output) process.stdout.write(`${result.output}\n`);
  const row = { ...result, name: stage.name, seconds: (Date.now() - startedAt) / 1000 };
  process.stdout.write(`── ${stage.name}: ${counts(row)} in ${row.seconds.toFixed(1)} s\n`);
  return row;
}

/** The final table; its last line is the total, for programs. */
export function printTable(rows, startedAt) {
  const line = (name, seconds, passed, failed, skipped) =>
    `${name.padEnd(20)}${seconds.padStart(9)}${String(passed).padStart(8)}${String(failed).padStart(8)}${String(skipped).padStart(9)}\n`;
  process.stdout.write(`\n${line('stage', 'seconds', 'passed', 'failed', 'skipped')}`);
  for (const row of rows) process.stdout.write(line(row.name, row.seconds.toFixed(1), row.passed, row.failed, row.skipped.length));
  process.stdout.write(line('all', ((Date.now() - startedAt) / 1000).toFixed(1), sum(rows, 'passed'), sum(rows, 'failed'), skips(rows).length));
  const failures = rows.flatMap((row) => row.failures ?? []);
  if (failures.length > 0) process.stdout.write('\nFailed:\n');
  for (const failure of failures) process.stdout.write(`- ${failure}\n`);
  const flaky = rows.flatMap((row) => row.flaky ?? []);
  if (flaky.length > 0) process.stdout.write('\nFlaky: passed only when its file ran again, alone:\n');
  for (const name of flaky) process.stdout.write(`- ${name}\n`);
  if (skips(rows).length > 0) process.stdout.write('\nSkipped:\n');
  for (const skip of skips(rows)) process.stdout.write(`- ${skip.name}: ${skip.reason}\n`);
  process.stdout.write(`\n${sum(rows, 'passed')} passed, ${sum(rows, 'failed')} failed, ${skips(rows).length} skipped\n`);
  process.exitCode = sum(rows, 'failed') > 0 ? 1 : 0;
}

const counts = (row) => `${row.passed} passed, ${row.failed} failed, ${row.skipped.length} skipped`;
const sum = (rows, field) => rows.reduce((total, row) => total + row[field], 0);
const skips = (rows) => rows.flatMap((row) => row.skipped);
