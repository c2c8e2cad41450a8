import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { EVENTS } from '../../src/protocol/event.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-maps-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const typesOf = (matches: (event: (typeof EVENTS)[number]) => boolean): readonly string[] => EVENTS.filter(matches).map(({ type }) => type);
const KINDS = ['user', 'text', 'thinking', 'tool', 'permission', 'turn', 'mark', 'seam', 'unrecognised'];

/** Every map that needs an entry for a new event or a new kind of item: where it starts, and which entries it must have. */
const MAPS = [
  ['src/domain/session/evolve.ts', 'const CHANGES', typesOf(() => true)],
  ['src/domain/search/document.ts', 'const DOCUMENTS', typesOf(() => true)],
  ['src/domain/transcript/fold-event.ts', 'const FOLDS', typesOf(({ transcript }) => transcript === 'item' || transcript === 'both')],
  ['src/domain/transcript/sentences.ts', 'export const sentencesIn', typesOf(({ transcript }) => transcript === 'mark' || transcript === 'both')],
  ['src/domain/transcript/sentences.ts', 'export const DECISIONS', typesOf(({ madeBy }) => madeBy === 'person')],
  ['src/domain/export/blocks.ts', 'const BLOCKS', KINDS],
  ['web/parts/items/item-body.tsx', 'const DRAWINGS', KINDS],
] as const;

interface Entry {
  readonly key: string;
  /** The text of the file without this entry. */
  readonly without: string;
}

/** The formatter puts each entry on its own lines, indented by two spaces, and the closing brace at the margin. */
function entriesOf(text: string, start: string): readonly Entry[] {
  const from = text.indexOf('{\n', text.indexOf(`\n${start}`)) + 2;
  const to = from + text.slice(from).search(/^\}/m);
  const body = text.slice(from, to);
  const starts = [...body.matchAll(/^ {2}(?:'([^']+)'|(\w+)):/gm)];
  return starts.map((match, index) => {
    const end = starts[index + 1]?.index ?? body.length;
    return { key: match[1] ?? match[2] ?? '', without: text.slice(0, from) + body.slice(0, match.index) + body.slice(end) + text.slice(to) };
  });
}

/** Makes relative imports absolute, so that a copy in another folder still compiles. */
const moved = (text: string, file: string): string =>
  text.replace(/(from ')(\.{1,2}\/[^']+)(')/g, (_, before: string, path: string, after: string) => `${before}${resolve(ROOT, dirname(file), path)}${after}`);

/** The compiler's errors by file. All files are one program, so that shared files are read once. */
async function compilerErrors(files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const compilerOptions = {
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['vite/client'],
    jsx: 'react-jsx',
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['*.ts', '*.tsx'] }));
  const tsc = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  const output = await tsc.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
  const found = new Map<string, string>();
  let file = '';
  for (const line of output.split('\n')) {
    file = /^(\S+?)\(\d+,\d+\): error/.exec(line)?.[1] ?? file;
    found.set(file, `${found.get(file) ?? ''}${line}\n`);
  }
  return found;
}

test('a missing entry in any map over events or item kinds is a type error', async () => {
  const variants = MAPS.flatMap(([file, start, keys], map) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const entries = entriesOf(text, start);
    expect(entries.map(({ key }) => key).toSorted(), `${file} ${start}`).toEqual(keys.toSorted());
    const extension = file.slice(file.lastIndexOf('.'));
    const complete = { name: `map${map}-whole${extension}`, text: moved(text, file), key: undefined, file };
    return [complete, ...entries.map(({ key, without }, at) => ({ name: `map${map}-${at}${extension}`, text: moved(without, file), key, file }))];
  });
  const output = await compilerErrors(new Map(variants.map(({ name, text }) => [name, text])));
  const isAsExpected = ({ name, key }: (typeof variants)[number]): boolean =>
    key === undefined ? !output.has(name) : new RegExp(`Property '(?:'|")?${key}(?:'|")?' is missing`).test(output.get(name) ?? '');
  expect(
    variants.filter((variant) => !isAsExpected(variant)).map(({ file, key, name }) => `${file} without ${key}: ${output.get(name) ?? 'compiles'}`),
  ).toEqual([]);
});
