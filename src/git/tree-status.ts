import type { TreeFile } from '../protocol/api/changes.ts';
import type { SideFile } from '../protocol/api/finish.ts';

/** Parses `git status --porcelain=v2 -z`. If the output was cut, the incomplete last entry is dropped. */
export function readStatus(text: string, isCut: boolean): readonly TreeFile[] {
  const fields = fieldsOf(text, isCut);
  const files: TreeFile[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    const oldPath = field.startsWith('2 ') ? fields[++at] : undefined;
    const file = statusOf(field, oldPath);
    if (file !== undefined) files.push(file);
  }
  return files;
}

const fieldsOf = (text: string, isCut: boolean): readonly string[] =>
  (isCut ? text.slice(0, text.lastIndexOf('\0') + 1) : text).split('\0').filter((field) => field !== '');

/** Number of fields before the path, by line type. */
const BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

function statusOf(field: string, oldPath: string | undefined): TreeFile | undefined {
  const kind = field.charAt(0);
  if (kind === '?') return { path: field.slice(2), state: 'untracked', staged: false, unstaged: true };
  const before = BEFORE_PATH[kind];
  if (before === undefined) return undefined;
  const words = field.split(' ');
  const [index = '.', tree = '.'] = words[1] ?? '';
  const path = words.slice(before).join(' ');
  if (kind === 'u') return { path, state: 'conflict', staged: true, unstaged: true };
  return { path, state: stateOf(index, tree), staged: index !== '.', unstaged: tree !== '.', ...(oldPath !== undefined && { oldPath }) };
}

function stateOf(index: string, tree: string): TreeFile['state'] {
  if (tree === 'D' || (index === 'D' && tree === '.')) return 'deleted';
  if (index === 'R' || tree === 'R' || index === 'C') return 'renamed';
  return index === 'A' ? 'added' : 'modified';
}

const BY_LETTER: Readonly<Record<string, TreeFile['state']>> = { A: 'added', D: 'deleted', R: 'renamed', C: 'renamed', U: 'conflict' };

/** Parses `git diff --name-status -z` against an earlier commit; staged and untracked files come from the current status. */
export function readDiff(text: string, isCut: boolean, now: readonly TreeFile[]): readonly TreeFile[] {
  const fields = fieldsOf(text, isCut);
  const files: TreeFile[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const letter = (fields[at++] ?? '').charAt(0);
    const oldPath = letter === 'R' || letter === 'C' ? fields[at++] : undefined;
    const path = fields[at++] ?? '';
    const known = now.find((file) => file.path === path);
    const state = BY_LETTER[letter] ?? 'modified';
    files.push({ path, state, staged: known?.staged ?? false, unstaged: known?.unstaged ?? false, ...(oldPath !== undefined && { oldPath }) });
  }
  return [...files, ...now.filter(({ state }) => state === 'untracked')];
}

interface BothSides {
  readonly staged: readonly SideFile[];
  readonly unstaged: readonly SideFile[];
  readonly conflicts: number;
  /** The lines that start with `# branch.`, by name. */
  readonly branch: Readonly<Record<string, string>>;
}

/** Parses `git status --porcelain=v2 --branch -z` into what the index has and what the folder has beyond it. */
export function readSides(text: string, isCut: boolean): BothSides {
  const fields = fieldsOf(text, isCut);
  const [staged, unstaged]: [SideFile[], SideFile[]] = [[], []];
  const branch: Record<string, string> = {};
  let conflicts = 0;
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    const [, name, value] = /^# branch\.(\S+) (.*)$/s.exec(field) ?? [];
    if (name !== undefined) branch[name] = value ?? '';
    const oldPath = field.startsWith('2 ') ? fields[++at] : undefined;
    const file = statusOf(field, oldPath);
    if (file === undefined) continue;
    if (file.state === 'conflict') conflicts += 1;
    const [index = '.', tree = '.'] = field.charAt(0) === '?' ? '.A' : (field.split(' ')[1] ?? '');
    const isIntent = index === '.' && tree === 'A' && field.charAt(0) !== '?';
    if (file.state !== 'conflict' && index !== '.') staged.push(sideFile(file.path, index, oldPath));
    if (file.state === 'conflict' || tree !== '.')
      unstaged.push({
        ...sideFile(file.path, tree, index === '.' ? oldPath : undefined),
        ...(file.state === 'conflict' && { state: 'conflict' }),
        ...((field.charAt(0) === '?' || isIntent) && { state: 'untracked' }),
      });
  }
  return { staged, unstaged, conflicts, branch };
}

const sideFile = (path: string, letter: string, oldPath: string | undefined): SideFile => ({
  path,
  state: BY_LETTER[letter] ?? 'modified',
  ...(oldPath !== undefined && (letter === 'R' || letter === 'C') && { oldPath }),
});
