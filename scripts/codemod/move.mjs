import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT, tool } from '../lib/root.mjs';

/**
 * node scripts/codemod/move.mjs MAP.json [MAP.json …]
 *
 * Moves files and rewrites everything that refers to them. A map is `{"old/path": "new/path"}`, for files or whole folders; the longest match wins, and a test moves
 * with the file it is named after. Rewritten are: import specifiers and other relative paths in code, paths from the repository root in any text, and
 * `folder/file.ts` in docs and comments. An entry whose old path is gone is skipped, so a map can be applied to a branch that was started before the move.
 */
const TEXT = /\.(ts|tsx|mjs|js|json|md|css|html)$/;
const NOT_OURS = /(^|\/)(recordings|golden)\/|package-lock\.json$|^scripts\/codemod\/.*\.json$/;

const tracked = git('ls-files')
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const isTracked = new Set(tracked);
const folders = new Set(tracked.flatMap(foldersAbove));
const map = withTests(Object.assign({}, ...process.argv.slice(2).map((file) => JSON.parse(readFileSync(resolve(file), 'utf8')))));
const moved = new Map(tracked.flatMap((path) => (newPath(path) === path ? [] : [[path, newPath(path)]])));
const mentions = mentionsOf(moved);

const texts = tracked.filter((path) => TEXT.test(path) && !NOT_OURS.test(path)).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]);
for (const [from, to] of moved) {
  mkdirSync(dirname(join(ROOT, to)), { recursive: true });
  git('mv', from, to);
}
for (const [path, text] of texts) {
  const next = rewrite(path, text);
  if (next !== text) writeFileSync(join(ROOT, newPath(path)), next);
}
spawnSync(tool('biome'), ['check', '--write', '.'], { cwd: ROOT, stdio: 'inherit' });
process.stdout.write(`${moved.size} files moved\n`);

function rewrite(path, text) {
  const code = /\.(md|json)$/.test(path)
    ? text
    : text.replace(/(['"`])(\.{1,2}(?:\/[^'"`\s]*)?)\1/g, (whole, quote, specifier, at) => {
        if (!isPathContext(text, at, at + whole.length)) return whole;
        const target = specifierAfterMove(path, specifier);
        return target === undefined ? whole : `${quote}${target}${quote}`;
      });
  return code.replace(/(?<![\w@./-])[\w@-][\w@./-]*/g, (path) => {
    const [, bare, rest] = /^(.*?)([./]*)$/.exec(path);
    return mentions.has(bare) ? mentions.get(bare) + rest : path;
  });
}

/** A relative path in quotes can be test data: change only those that a module resolves. */
function isPathContext(text, start, end) {
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
  // An address of the page, as in `new URL('.', document.baseURI)`, has nothing to do with where the file is.
  if (/URL\($/.test(line)) return /^,\s*import\.meta\.url/.test(text.slice(end));
  return /(\bfrom\s+|\bimport\s*\(?\s*|@import\s+|url\(|import\.meta\.\w+,\s*|pathOf\()$/.test(line);
}

function specifierAfterMove(path, specifier) {
  const [bare, query = ''] = specifier.split(/(?=\?)/);
  const target = relative(ROOT, resolve(ROOT, dirname(path), bare));
  if (!isTracked.has(target) && !folders.has(target) && !existsSync(join(ROOT, target))) return undefined;
  const next = relative(dirname(newPath(path)), newPath(target)) || '.';
  const isUnchanged = newPath(path) === path && newPath(target) === target;
  if (isUnchanged) return undefined;
  const trailing = bare.endsWith('/') ? '/' : '';
  return `${next.startsWith('.') ? next : `./${next}`}${trailing}${query}`;
}

function newPath(path) {
  if (map[path] !== undefined) return map[path];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (map[folder] !== undefined) return `${map[folder]}${path.slice(folder.length)}`;
  }
  return path;
}

function withTests(given) {
  const tests = Object.entries(given).flatMap(([from, to]) =>
    ['.test.ts', '.test.tsx'].flatMap((ending) => {
      const test = from.replace(/\.tsx?$/, ending);
      return test !== from && isTracked.has(test) && given[test] === undefined ? [[test, to.replace(/\.tsx?$/, ending)]] : [];
    }),
  );
  return { ...given, ...Object.fromEntries(tests) };
}

/** The new path of every moved file and folder, by old path; files also without the top folder. */
function mentionsOf(files) {
  const names = new Map([...files, ...Object.entries(map).filter(([from]) => folders.has(from))]);
  for (const [from, to] of [...names]) {
    const short = /^(?:src|web)\/(.+\/.+\.tsx?)$/.exec(from)?.[1];
    if (short) names.set(short, to.replace(/^(?:src|web)\//, ''));
  }
  return names;
}

function foldersAbove(path) {
  const folder = dirname(path);
  return folder === '.' ? [''] : [folder, ...foldersAbove(folder)];
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 });
}
