import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const STAMP = `${ROOT}dist/.sources`;
const BUILT_FROM = [
  'src',
  'web',
  'scripts/build.mjs',
  'scripts/lib/threads.mjs',
  'scripts/lib/client-types.mjs',
  'scripts/lib/third-party.mjs',
  'tsconfig.client.json',
  'package.json',
  'package-lock.json',
];
const NOT_BUILT = /(\.test\.tsx?|\.md)$|(^|\/)recordings(\/|$)/;

/** True when dist/ was built from exactly these sources. */
export const isBuilt = () => existsSync(STAMP) && existsSync(`${ROOT}dist/server/main.js`) && readFileSync(STAMP, 'utf8') === hashOfSources();

export const markBuilt = (hash) => writeFileSync(STAMP, hash);

export function hashOfSources() {
  const hash = createHash('sha256');
  for (const path of BUILT_FROM.flatMap(filesUnder).sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(join(ROOT, path)) || NOT_BUILT.test(path)) return [];
  if (!isFolder(path)) return [path];
  return readdirSync(join(ROOT, path)).flatMap((name) => filesUnder(`${path}/${name}`));
}

const isFolder = (path) => statSync(join(ROOT, path)).isDirectory();
