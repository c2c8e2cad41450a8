import '../bin/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { printTable, runStages } from './lib/report.mjs';
import { run } from './lib/run.mjs';
import { build, lint, scenarios, types, unit, unused } from './lib/stages.mjs';
import { ensureTools } from './lib/tools.mjs';

// npm test: brings what the tests need, runs everything, and ends with a table of what ran and what was skipped and why.
const CLI_LIMIT_MS = 20 * 60_000; // 850 MB, once

const startedAt = Date.now();
await ensureInstalled();
await ensureTools();
await run(process.execPath, ['--import', 'tsx', 'test/support/agents/install-agent-clis.ts'], { limitMs: CLI_LIMIT_MS });

const rows = await runStages([types, lint, unused, unit, build, { ...scenarios, needs: build.name }]);
printTable(rows, startedAt);
