import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Planted, PlantedChange } from '../protocol/api/finish.ts';
import type { NotedEntry } from '../protocol/git.ts';
import { maskedAddress } from './masked-address.ts';
import { type GitLocation, runGit } from './run-git.ts';

/** Something that can run programs or names a remote when a person commits or pushes here. */
interface Entry extends NotedEntry {
  readonly kind: PlantedChange['kind'];
  readonly text: string;
}

const SETTINGS_BYTES = 1024 * 1024;
/** A hook is a short script; of longer ones the whole content counts, but only the start is shown. */
const SHOWN_CHARS = 4000;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_FILES = 200;

/**
 * Settings that run nothing and send nothing anywhere. Everything else counts, so that a key we have never heard of is shown rather than trusted.
 */
const HARMLESS =
  /^(user\.(name|email)|author\..*|committer\..*|color\..*|column\..*|advice\..*|pull\..*|init\..*|gc\..*|maintenance\..*|log\..*|status\..*|rerere\..*|rebase\..*|merge\.(conflictstyle|ff|log|renames|stat)|diff\.(algorithm|colormoved|mnemonicprefix|renames|noprefix)|fetch\..*|feature\..*|index\..*|pack\..*|branch\..*\.(merge|rebase|description|vscode-merge-base|gh-merge-base)|safe\.directory|extensions\..*|core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|excludesfile|longpaths|compression|preloadindex|untrackedcache|commentchar))$/;

/** Files of the working tree that hooks and filters are usually configured with. */
const FILES = [
  '.gitattributes',
  '.gitmodules',
  '.lfsconfig',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.lintstagedrc',
  '.lintstagedrc.json',
];
const FOLDERS = ['.husky', '.husky/_', '.githooks'];

/** What is there now. Names and hashes of it can be stored; the texts are only shown. */
export async function notable(place: GitLocation): Promise<readonly Entry[]> {
  const settings = await settingsOf(place);
  const hooks = await filesIn(await hooksFolder(place, settings), 'hook', 'executable');
  const top = (name: string) => join(place.workTree, name);
  const folders = await Promise.all(FOLDERS.map((name) => filesIn(top(name), 'file', 'any', `${name}/`)));
  const files = await Promise.all(FILES.map((name) => fileEntry(top(name), name, 'file')));
  return [...settingEntries(settings), ...hooks, ...folders.flat(), ...files.flatMap((file) => file ?? [])];
}

/** What differs from what was noted before the agent started; undefined if nothing does. */
export function plantedSince(noted: readonly NotedEntry[] | undefined, now: readonly Entry[], trusted: readonly string[]): Planted | undefined {
  const before = new Map((noted ?? []).map(({ name, sha256 }) => [name, sha256]));
  const here = new Set(now.map(({ name }) => name));
  const changed = now.filter(({ name, sha256 }) => before.get(name) !== sha256);
  const gone = (noted ?? []).filter(({ name }) => !here.has(name));
  if (changed.length + gone.length === 0) return undefined;
  const facts = [...changed.map(({ name, sha256 }) => [name, sha256]), ...gone.map(({ name }) => [name, 'gone'])].sort((a, b) => `${a}`.localeCompare(`${b}`));
  const sha256 = hashOf(JSON.stringify(facts));
  return {
    sha256,
    startKnown: noted !== undefined,
    confirmed: trusted.includes(sha256),
    changes: [
      ...changed.map(({ name, kind, text }): PlantedChange => ({ name, kind, change: before.has(name) ? 'changed' : 'new', text })),
      ...gone.map(
        ({ name }): PlantedChange => ({ name, kind: name.startsWith('hook ') ? 'hook' : name.startsWith('file ') ? 'file' : 'setting', change: 'gone' }),
      ),
    ],
  };
}

const hashOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

type Settings = ReadonlyMap<string, readonly string[]>;

/** Settings of every file that git reads here, without those that we pass ourselves. */
async function settingsOf(place: GitLocation): Promise<Settings> {
  const listed = await runGit(place, ['config', '--list', '--show-scope', '-z'], SETTINGS_BYTES);
  const found = new Map<string, string[]>();
  // Without a full list nothing is certain, so the lack of it counts as a setting of its own.
  if (!listed.ok || listed.isCut) return new Map([['(unreadable)', [listed.ok ? 'too long to read' : listed.words]]]);
  const fields = listed.out.toString('utf8').split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const entry = fields[at + 1] ?? '';
    const end = entry.indexOf('\n');
    const name = end < 0 ? entry : entry.slice(0, end);
    if (fields[at] !== 'command') found.set(name, [...(found.get(name) ?? []), end < 0 ? 'true' : entry.slice(end + 1)]);
  }
  return found;
}

const settingEntries = (settings: Settings): readonly Entry[] =>
  [...settings].flatMap(([name, values]): readonly Entry[] =>
    HARMLESS.test(name) || name.startsWith('alias.') || namesKnownRemote(settings, name, values)
      ? []
      : [{ name: `setting ${name}`, kind: 'setting', sha256: hashOf(values.join('\0')), text: values.map((value) => shownValue(name, value)).join('\n') }],
  );

/** Which of the remotes a branch belongs to; the remotes themselves count. */
const namesKnownRemote = (settings: Settings, name: string, values: readonly string[]): boolean =>
  /^branch\..*\.remote$/s.test(name) && values.every((value) => value === '.' || settings.has(`remote.${value}.url`));

/** Values can be secrets. */
const shownValue = (name: string, value: string): string =>
  /(extraheader|password|token|secret|cookie)$/i.test(name) ? '(hidden)' : maskedAddress(value).slice(0, SHOWN_CHARS);

async function hooksFolder(place: GitLocation, settings: Settings): Promise<string> {
  const [set] = settings.get('core.hookspath')?.slice(-1) ?? [];
  if (set !== undefined) return set.startsWith('~/') ? join(homedir(), set.slice(2)) : resolve(place.workTree, set);
  const common = await runGit(place, ['rev-parse', '--path-format=absolute', '--git-common-dir'], 4096);
  return join(common.ok ? common.out.toString('utf8').trimEnd() : dirname(place.gitDir), 'hooks');
}

async function filesIn(folder: string, kind: Entry['kind'], which: 'executable' | 'any', prefix = ''): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isDirectory() && !entry.name.endsWith('.sample')).map((entry) => entry.name);
  const found = await Promise.all(
    names
      .sort()
      .slice(0, MOST_FILES)
      .map((name) => fileEntry(join(folder, name), `${prefix}${name}`, kind, which)),
  );
  return found.flatMap((entry) => entry ?? []);
}

async function fileEntry(path: string, name: string, kind: Entry['kind'], which: 'executable' | 'any' = 'any'): Promise<Entry | undefined> {
  // A pipe in its place must not make us wait.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) return undefined;
    const { mode, size, mtimeMs } = found;
    const isExecutable = (mode & 0o111) !== 0;
    if (which === 'executable' && !isExecutable) return undefined;
    const bytes = size > MOST_BYTES ? Buffer.from(`${size} bytes, changed at ${mtimeMs}`) : await file.readFile();
    return {
      name: `${kind} ${name}`,
      kind,
      sha256: hashOf(Buffer.concat([Buffer.from(isExecutable ? 'x' : '-'), bytes])),
      text: bytes.toString('utf8').slice(0, SHOWN_CHARS),
    };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
