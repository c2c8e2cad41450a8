import { createHash } from 'node:crypto';
import { hunkTexts } from '../domain/changes/patch.ts';
import type { Hunk, Side, SideDiff, SideFile } from '../protocol/api/finish.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type GitLocation, runGit } from './run-git.ts';
import { PLAIN_DIFF } from './working-tree.ts';

/** A diff as git printed it. Bytes are kept as Latin-1, one character each, so that a patch is sent back exactly. */
export interface RawDiff {
  /** The lines before the first hunk: they name the file. */
  readonly head: string;
  readonly hunks: readonly RawHunk[];
  readonly isCut: boolean;
}

export interface RawHunk {
  readonly header: string;
  readonly sha256: string;
  /** With its header. */
  readonly text: string;
}

const DIFF_BYTES = 8 * 1024 * 1024;

/** A path as data, whatever characters it has. */
export const literal = (path: string): string => `:(literal)${path}`;

/** What one file's hunks are, as git sees them now. */
export async function rawDiff(place: GitLocation, side: Side, path: string): Promise<RawDiff | { readonly words: string }> {
  // Renames are off: a hunk belongs to one path.
  const args = [...PLAIN_DIFF, '--no-renames', ...(side === 'staged' ? ['--cached'] : []), '--', literal(path)];
  const answer = await runGit(place, args, DIFF_BYTES);
  if (!answer.ok) return { words: answer.words };
  const text = answer.out.toString('latin1');
  const texts = hunkTexts(text);
  const first = text.search(/^@@ /m);
  return { head: first < 0 ? text : text.slice(0, first), hunks: texts.map(rawHunk), isCut: answer.isCut };
}

function rawHunk(text: string): RawHunk {
  const end = text.indexOf('\n');
  const [header = ''] = /^@@ [^@]* @@/.exec(text) ?? [];
  const lines = end < 0 ? '' : text.slice(end + 1);
  return { header, sha256: createHash('sha256').update(lines, 'latin1').digest('hex'), text };
}

/** The diff of one file for people, and whether its hunks can be staged one by one. */
export async function sideDiff(place: GitLocation, side: Side, file: SideFile): Promise<SideDiff> {
  const base = { path: file.path, side };
  if (file.state === 'untracked') return { ...base, ...(await untracked(place, file.path)), canSplit: false };
  const diff = await rawDiff(place, side, file.path);
  if ('words' in diff) return { ...base, hunks: [], canSplit: false, note: diff.words };
  const hunks = shownHunks(diff.hunks);
  const why = file.state === 'conflict' ? 'This file has conflicts. Resolve them, then stage the whole file.' : await wholeOnly(place, file.path, diff);
  const cut = hunks.length < diff.hunks.length || diff.isCut ? `Only the first ${LIMITS.treePatchBytes / 1024} KB of the diff are shown.` : undefined;
  const note = [why, cut].filter((each) => each !== undefined).join(' ');
  return { ...base, hunks, canSplit: why === undefined, ...(note !== '' && { note }) };
}

function shownHunks(hunks: readonly RawHunk[]): Hunk[] {
  let room: number = LIMITS.treePatchBytes;
  return hunks.flatMap(({ header, sha256, text }) => {
    room -= text.length;
    return room < 0 ? [] : [{ header, sha256, text: Buffer.from(text, 'latin1').toString('utf8') }];
  });
}

/** Why a file can only be staged as a whole. */
export async function wholeOnly(place: GitLocation, path: string, diff: RawDiff): Promise<string | undefined> {
  if (/^Binary files /m.test(diff.head)) return 'This is not a text file: there is no diff to show.';
  if (diff.hunks.length === 0) return 'Only the name or the permissions changed.';
  if (/^(new|deleted) file mode /m.test(diff.head)) return 'This file is new or deleted: it is staged as a whole.';
  if (/^(old mode|new mode) /m.test(diff.head)) return 'The permissions changed too: stage the whole file.';
  const filter = await runGit(place, ['check-attr', '-z', 'filter', 'working-tree-encoding', '--', path], 4096);
  if (!filter.ok) return filter.words;
  const values = filter.out
    .toString('utf8')
    .split('\0')
    .filter((_, at) => at % 3 === 2);
  return values.every((value) => value === 'unspecified' || value === 'unset') ? undefined : 'A filter converts this file: stage it as a whole.';
}

async function untracked(place: GitLocation, path: string): Promise<Pick<SideDiff, 'hunks' | 'note'>> {
  const answer = await runGit(place, [...PLAIN_DIFF, '--no-index', '--', '/dev/null', `./${path}`], LIMITS.treePatchBytes, [0, 1]);
  if (!answer.ok) return { hunks: [], note: answer.words };
  const text = answer.out.toString('latin1');
  if (/^Binary files /m.test(text)) return { hunks: [], note: 'This is not a text file: there is no diff to show.' };
  const hunks = shownHunks(hunkTexts(text).map(rawHunk));
  return { hunks, ...(hunks.length === 0 && { note: 'This file is empty, or a repository of its own.' }) };
}
