import '../bin/node-version.mjs';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { ensureTools } from './lib/tools.mjs';

// npm run soak [-- --minutes 30] [--seed S]: a page in Chromium whose connection to the server is cut again and again; the long form of test/scenarios/soak-page.test.ts.
const CLI_LIMIT_MS = 20 * 60_000; // 850 MB, only once
const LONGEST_MS = 24 * 60 * 60_000;

await ensureInstalled();
await ensureTools();
await ensureBuilt();
await run(process.execPath, ['--import', 'tsx', 'test/support/agents/install-agent-clis.ts'], { limitMs: CLI_LIMIT_MS });
const { code } = await run(process.execPath, ['--import', 'tsx', 'test/soak/main.ts', ...process.argv.slice(2)], { limitMs: LONGEST_MS });
process.exit(code ?? 1);
