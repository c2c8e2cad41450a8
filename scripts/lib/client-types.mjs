import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT, tool } from './root.mjs';
import { run } from './run.mjs';

const LIMIT_MS = 120_000;
/** The folders of zod that its small form consists of. */
const ZOD = ['mini', 'v4/mini', 'v4/core', 'v4/locales'];

/** The types of `signalbox/client`, with those of zod next to them: who uses the client needs to install nothing else. */
export async function writeClientTypes(folder) {
  const { code, output } = await run(tool('tsc'), ['-p', join(ROOT, 'tsconfig.client.json'), '--outDir', folder], { limitMs: LIMIT_MS, quiet: true });
  if (code !== 0) throw new Error(`the types of the client do not compile:\n${output}`);
  for (const part of ZOD) copyTypes(join(ROOT, 'node_modules/zod', part), join(folder, 'zod', part));
  for (const file of typesIn(folder)) pointToOwnZod(file, join(folder, 'zod/mini/index.js'));
}

function copyTypes(from, to) {
  for (const file of typesIn(from)) {
    const target = join(to, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}

function pointToOwnZod(file, zod) {
  const text = readFileSync(file, 'utf8');
  const path = relative(dirname(file), zod);
  if (text.includes("'zod/mini'")) writeFileSync(file, text.replaceAll("'zod/mini'", `'${path.startsWith('.') ? path : `./${path}`}'`));
}

const typesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => join(folder, name));
