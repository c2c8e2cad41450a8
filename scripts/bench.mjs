import '../bin/node-version.mjs';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run } from './lib/run.mjs';

// npm run bench [-- --quick] [--only NAME,NAME]: the built server next to a baseline, in one run. npm run bench -- archive|agents|panel|cluster [--quick]: past sessions; agents next to their own programs; the panel in Chromium; one hop to another machine. npm run bench:web: the page. docs/benchmarks.md explains the results.
const BENCH_LIMIT_MS = 60 * 60_000;

await ensureInstalled();
await ensureBuilt();
const [first, ...rest] = process.argv.slice(2);
const isNamed = ['archive', 'agents', 'panel', 'web', 'cluster'].includes(first);
const [program, args] = isNamed ? [`bench/${first}/main.ts`, rest] : ['bench/relay/main.ts', process.argv.slice(2)];
const { code } = await run(process.execPath, ['--import', 'tsx', program, ...args], { limitMs: BENCH_LIMIT_MS });
process.exitCode = code;
