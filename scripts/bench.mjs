import '../bin/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { isBuilt } from './lib/sources.mjs';

// npm run bench [-- --quick] [--only NAME,NAME]: the built server beside the floor, in one run. npm run bench -- archive [--quick]: past sessions. npm run bench:web: the page. docs/benchmarks.md tells how to read it.
const BUILD_LIMIT_MS = 5 * 60_000;
const BENCH_LIMIT_MS = 60 * 60_000;

await ensureInstalled();
if (!isBuilt()) {
  const { code } = await run(process.execPath, ['scripts/build.mjs'], { limitMs: BUILD_LIMIT_MS });
  if (code !== 0) process.exit(code);
}
const [first, ...rest] = process.argv.slice(2);
const [program, args] = ['archive', 'web'].includes(first) ? [`bench/${first}/main.ts`, rest] : ['bench/relay/main.ts', process.argv.slice(2)];
const { code } = await run(process.execPath, ['--import', 'tsx', program, ...args], { limitMs: BENCH_LIMIT_MS });
process.exitCode = code;
