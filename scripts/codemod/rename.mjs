import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import { ROOT, tool } from '../lib/root.mjs';

/**
 * node scripts/codemod/rename.mjs TABLE.json [CONCEPT …]
 *
 * Renames identifiers everywhere at once. A table is `[{"concept", "rename": {"old": "new"}, "words"?: {"old": "new"}, "in"?: ["glob"], "not"?: ["glob"]}]`.
 * `rename` matches whole words in code, comments, docs and in the source text that the mutation files quote; `words` are too common for that and match in code
 * only, never in a comment or a string. Check the result with the type checker. Names on disk or on the wire must not change:
 * leave them out of the table, or exclude the files that contain them.
 */
const TEXT = /\.(ts|tsx|mjs|md|css|html)$|^test\/mutations\/.*\.json$/;
const NOT_OURS = /(^|\/)(recordings|golden)\/|^CHANGELOG\.md$|^scripts\/codemod\//;

const [table, ...wanted] = process.argv.slice(2);
const concepts = JSON.parse(readFileSync(resolve(table), 'utf8')).filter(({ concept }) => wanted.length === 0 || wanted.includes(concept));
const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => TEXT.test(path) && !NOT_OURS.test(path));

for (const { concept, rename = {}, words = {}, in: only = ['**'], not = [] } of concepts) {
  let changed = 0;
  for (const path of files.filter((each) => matchesAny(each, only) && !matchesAny(each, not))) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const next = inCode(path, renamed(text, rename), (code) => renamed(code, words));
    if (next === text) continue;
    writeFileSync(join(ROOT, path), next);
    changed += 1;
  }
  process.stdout.write(`${concept}: ${changed} files\n`);
}
spawnSync(tool('biome'), ['check', '--write', '.'], { cwd: ROOT, stdio: 'inherit' });

function matchesAny(path, globs) {
  return globs.some((glob) => matchesGlob(path, glob));
}

function renamed(text, names) {
  const all = Object.keys(names);
  if (all.length === 0) return text;
  const pattern = new RegExp(`(?<![\\w$])(?:${all.map((name) => name.replace(/\$/g, '\\$&')).join('|')})(?![\\w$])`, 'g');
  return text.replace(pattern, (name) => names[name]);
}

/** Applies `change` to everything except comments and strings; in a template, `${}` contains code. Mutation files quote code, so all of their text is changed. */
function inCode(path, text, change) {
  if (path.endsWith('.json')) return change(text);
  if (!/\.(ts|tsx|mjs)$/.test(path)) return text;
  const pieces = [];
  const braces = []; // depth at which each open template continues
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const continuesTemplate = text[at] === '}' && braces.at(-1) === depth;
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= continuesTemplate ? 0 : 1;
    if (continuesTemplate) braces.pop();
    const end = continuesTemplate || text[at] === '`' ? templateEnd(text, at + 1) : otherEnd(text, at);
    if (end === at) continue;
    pieces.push(change(text.slice(from, at)), text.slice(at, end));
    if ((continuesTemplate || text[at] === '`') && text[end - 1] === '{') braces.push(depth);
    from = end;
    at = end - 1;
  }
  return [...pieces, change(text.slice(from))].join('');
}

function templateEnd(text, from) {
  const rest = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;
  rest.lastIndex = from;
  return from + (rest.exec(text)?.[0].length ?? text.length - from);
}

function otherEnd(text, at) {
  const other = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;
  other.lastIndex = at;
  return at + (other.exec(text)?.[0].length ?? 0);
}
