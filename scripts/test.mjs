import '../bin/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { printTable, runOne, runStages } from './lib/report.mjs';
import { run } from './lib/run.mjs';
import { build, lint, scenarios, types, unit, unused } from './lib/stages.mjs';
import { ensureTools } from './lib/tools.mjs';

// npm test: installs what the tests need, runs everything, and ends with a table of what ran, what was skipped, and why.
const CLI_LIMIT_MS = 20 * 60_000; // 850 MB, only once

const startedAt = Date.now();
await ensureInstalled();
await ensureTools();
await run(process.execPath, ['--import', 'tsx', 'test/support/agents/install-agent-clis.ts'], { limitMs: CLI_LIMIT_MS });

// None of the first three keeps both cores busy for long.
const quick = await Promise.all([types, lint, unused].map(runOne));
const rows = await runStages([unit, build, { ...scenarios, needs: build.name }]);
printTable([...quick, ...rows], startedAt);
