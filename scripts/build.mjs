import '../bin/node-version.mjs';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeClientTypes } from './lib/client-types.mjs';
import { ROOT, say } from './lib/root.mjs';
import { hashOfSources, markBuilt } from './lib/sources.mjs';
import { noticesFor, packagesIn } from './lib/third-party.mjs';
import { THREADS } from './lib/threads.mjs';

// npm run build: dist/server and dist/agents are bundles that need only Node and the SQLite binding; dist/web is the page.
const ENTRIES = [
  { from: 'src/main.ts', to: 'server/main.js' },
  ...THREADS.map(({ from, to }) => ({ from, to: `server/${to}` })),
  { from: 'src/server/mcp/mcp-library.ts', to: 'server/mcp-library.js' },
  { from: 'src/cli/hook/program.ts', to: 'server/hook.js' },
  { from: 'src/cli/completion/program.ts', to: 'server/complete.js' },
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
  metafile: true,
  // CommonJS dependencies inside an ES module still call `require`.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
};

// Set for every caller: tests set `test`, which would build the page with React's development version, which is slower and behaves differently.
process.env.NODE_ENV = 'production';

// Every package whose code ends up in dist/: their licenses go into it too.
const bundled = ['zod'];
const note = ({ metafile }) => bundled.push(...packagesIn(Object.keys(metafile.inputs)));

const hash = hashOfSources();
rmSync(NEXT, { recursive: true, force: true });
await Promise.all([bundleServer(), bundleWeb(), bundleClient()]);
writeFileSync(join(NEXT, 'THIRD-PARTY-NOTICES'), noticesFor(bundled));
rmSync(`${ROOT}dist`, { recursive: true, force: true });
renameSync(NEXT, `${ROOT}dist`);
markBuilt(hash);

async function bundleServer() {
  const { build } = await import('esbuild');
  const entries = ENTRIES.filter(({ from }) => from === 'src/main.ts' || existsSync(join(ROOT, from)));
  for (const built of await Promise.all(entries.map(({ from, to }) => build({ ...options, entryPoints: [join(ROOT, from)], outfile: join(NEXT, to) }))))
    note(built);
  // What completion knows of the commands, so that it doesn't load them.
  const { stdout } = await promisify(execFile)(process.execPath, [join(NEXT, 'server/main.js'), 'complete', '--table']);
  writeFileSync(join(NEXT, 'server/commands.json'), stdout);
  for (const { to } of entries) say(`${`dist/${to}`.padEnd(36)} ${kilobytes(statSync(join(NEXT, to)).size)}`);
}

/** `signalbox/client`: one file without dependencies, for browsers and Node, and its types. */
async function bundleClient() {
  const { build } = await import('esbuild');
  const neutral = { ...options, platform: 'neutral', target: 'es2022', external: [], banner: {} };
  note(await build({ ...neutral, entryPoints: [join(ROOT, 'src/client/index.ts')], outfile: join(NEXT, 'client/index.js') }));
  await writeClientTypes(join(NEXT, 'client/types'));
  say(`${'dist/client/index.js'.padEnd(36)} ${kilobytes(statSync(join(NEXT, 'client/index.js')).size)}`);
}

async function bundleWeb() {
  if (!existsSync(`${ROOT}web/index.html`)) {
    say('dist/web is skipped: web/index.html does not exist');
    return;
  }
  const { build } = await import('vite');
  const built = await build({ root: `${ROOT}web`, logLevel: 'warn', build: { outDir: `${NEXT}/web`, emptyOutDir: true } });
  for (const { output } of [built].flat()) for (const part of output) bundled.push(...packagesIn(part.moduleIds ?? part.originalFileNames ?? []));
  // A service worker must be next to the page to control all of it, under a name that doesn't change.
  const worker = { ...options, platform: 'browser', target: 'es2022', external: [], banner: {}, minify: true };
  note(await (await import('esbuild')).build({ ...worker, entryPoints: [`${ROOT}web/worker/worker.ts`], outfile: `${NEXT}/web/worker.js` }));
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
