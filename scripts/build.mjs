import '../bin/node-version.mjs';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, say } from './lib/root.mjs';
import { hashOfSources, markBuilt } from './lib/sources.mjs';
import { THREADS } from './lib/threads.mjs';

// npm run build: dist/server and dist/agents are bundles that need only Node and the SQLite binding; dist/web is the page.
const ENTRIES = [
  { from: 'src/main.ts', to: 'server/main.js' },
  ...THREADS.map(({ from, to }) => ({ from, to: `server/${to}` })),
  { from: 'src/server/mcp/mcp-library.ts', to: 'server/mcp-library.js' },
  { from: 'src/cluster/redis-library.ts', to: 'server/redis-library.js' },
  { from: 'src/agents/demo/program.ts', to: 'agents/demo.mjs' },
  { from: 'src/agents/script/program.ts', to: 'agents/script.mjs' },
  { from: 'src/agents/claude-code/bridge/program.ts', to: 'agents/claude-code-bridge.mjs' },
  { from: 'src/agents/pi/extension.ts', to: 'agents/pi-extension.mjs' },
  { from: 'src/agents/openclaw/keeper/program.ts', to: 'agents/openclaw-keeper.mjs' },
  { from: 'src/agents/openclaw/single-task/program.ts', to: 'agents/openclaw-once.mjs' },
];

// Built in another folder and moved into place when complete: a failed build changes nothing.
const NEXT = `${ROOT}.cache/dist`;

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: ['@photostructure/sqlite'],
  logLevel: 'warning',
  legalComments: 'none',
  // CommonJS dependencies inside an ES module still call `require`.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
};

// Set for every caller: tests set `test`, which would build the page with React's development version, which is slower and behaves differently.
process.env.NODE_ENV = 'production';

const hash = hashOfSources();
rmSync(NEXT, { recursive: true, force: true });
await Promise.all([bundleServer(), bundleWeb()]);
rmSync(`${ROOT}dist`, { recursive: true, force: true });
renameSync(NEXT, `${ROOT}dist`);
markBuilt(hash);

async function bundleServer() {
  const { build } = await import('esbuild');
  const entries = ENTRIES.filter(({ from }) => from === 'src/main.ts' || existsSync(join(ROOT, from)));
  await Promise.all(entries.map(({ from, to }) => build({ ...options, entryPoints: [join(ROOT, from)], outfile: join(NEXT, to) })));
  for (const { to } of entries) say(`${`dist/${to}`.padEnd(36)} ${kilobytes(statSync(join(NEXT, to)).size)}`);
}

async function bundleWeb() {
  if (!existsSync(`${ROOT}web/index.html`)) {
    say('dist/web is skipped: web/index.html does not exist');
    return;
  }
  const { build } = await import('vite');
  await build({ root: `${ROOT}web`, logLevel: 'warn', build: { outDir: `${NEXT}/web`, emptyOutDir: true } });
  // A service worker must be next to the page to control all of it, under a name that doesn't change.
  const worker = { ...options, platform: 'browser', target: 'es2022', external: [], banner: {}, minify: true };
  await (await import('esbuild')).build({ ...worker, entryPoints: [`${ROOT}web/worker/worker.ts`], outfile: `${NEXT}/web/worker.js` });
  const sizes = filesIn(`${NEXT}/web`).map((file) => statSync(file).size);
  say(`${'dist/web'.padEnd(36)} ${kilobytes(sizes.reduce((sum, size) => sum + size, 0))} in ${sizes.length} files`);
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1024)} KB`.padStart(9);
}
