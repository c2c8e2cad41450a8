import { type DiffLine, parsePatch } from '../../../../parts/diff/patch.ts';
import type { ReviewFile } from '../review-store.ts';

/** One row of the review. Heights depend on the kind only, so a review of any length scrolls at once. */
export type ReviewRow =
  | { readonly kind: 'file'; readonly file: ReviewFile; readonly isFolded: boolean }
  /** The calls that made this part. `isLater`: something else changed the file before it. */
  | { readonly kind: 'calls'; readonly path: string; readonly edits: ReviewFile['edits']; readonly isLater: boolean }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'wait'; readonly path: string }
  | { readonly kind: 'hunk'; readonly text: string }
  | { readonly kind: 'line'; readonly path: string; readonly line: DiffLine }
  | { readonly kind: 'pair'; readonly path: string; readonly left: DiffLine | undefined; readonly right: DiffLine | undefined }
  | { readonly kind: 'gap' };

export type DiffShape = 'unified' | 'split';

export function rowsOf(files: readonly ReviewFile[], shape: DiffShape, folded: ReadonlySet<string>): readonly ReviewRow[] {
  return files.flatMap((file): readonly ReviewRow[] => {
    const isFolded = folded.has(file.path);
    const head: ReviewRow = { kind: 'file', file, isFolded };
    return isFolded ? [head] : [head, ...bodyOf(file, shape), { kind: 'gap' }];
  });
}

function bodyOf(file: ReviewFile, shape: DiffShape): readonly ReviewRow[] {
  const notes: readonly ReviewRow[] = file.note === undefined ? [] : [{ kind: 'note', text: file.note }];
  if (file.patch === undefined) return [...callsOf(file, 0, file.edits.length, false), { kind: 'wait', path: file.path }];
  const lines = parsePatch(file.patch);
  if (lines.length === 0 && notes.length === 0) {
    return [...callsOf(file, 0, file.edits.length, false), { kind: 'note', text: 'No net change: the file is back to its original state.' }];
  }
  return [...partRows(file, lines, shape), ...notes];
}

function partRows(file: ReviewFile, lines: readonly DiffLine[], shape: DiffShape): readonly ReviewRow[] {
  const hunks = hunksOf(lines);
  let [hunk, edit] = [0, 0];
  const parts = file.parts.flatMap((part) => {
    const calls = callsOf(file, edit, edit + part.edits, edit > 0);
    const rows = hunks.slice(hunk, hunk + part.hunks).flatMap((one) => hunkRows(file.path, one, shape));
    hunk += part.hunks;
    edit += part.edits;
    return [...calls, ...rows];
  });
  return [...parts, ...hunks.slice(hunk).flatMap((one) => hunkRows(file.path, one, shape))];
}

function callsOf(file: ReviewFile, from: number, to: number, isLater: boolean): readonly ReviewRow[] {
  const edits = file.edits.slice(from, to);
  return edits.length === 0 ? [] : [{ kind: 'calls', path: file.path, edits, isLater }];
}

function hunksOf(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [];
  for (const line of lines) {
    if (line.kind === 'hunk') hunks.push([line]);
    else hunks.at(-1)?.push(line);
  }
  return hunks;
}

function hunkRows(path: string, [head, ...lines]: readonly DiffLine[], shape: DiffShape): readonly ReviewRow[] {
  const first: ReviewRow = { kind: 'hunk', text: head?.text ?? '' };
  return [first, ...(shape === 'unified' ? lines.map((line): ReviewRow => ({ kind: 'line', path, line })) : pairsOf(path, lines))];
}

/** Puts deleted lines beside the lines that replace them. */
function pairsOf(path: string, lines: readonly DiffLine[]): readonly ReviewRow[] {
  const rows: ReviewRow[] = [];
  let [deleted, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(deleted.length, added.length); at++) rows.push({ kind: 'pair', path, left: deleted[at], right: added[at] });
    [deleted, added] = [[], []];
  };
  let last: DiffLine['kind'] = 'same';
  for (const line of lines) {
    const side: DiffLine['kind'] = line.kind === 'end' ? last : line.kind;
    last = side;
    if (side === 'del') deleted.push(line);
    else if (side === 'add') added.push(line);
    else {
      flush();
      rows.push({ kind: 'pair', path, left: line, right: line });
    }
  }
  flush();
  return rows;
}

/** Room for the line numbers and the sign. */
const GUTTER_CHARS = 14;
/** Longer lines are cut. */
const MAX_CHARS = 2060;

/** The width of the longest line in characters. A tab counts as its maximum width. */
export function widestOf(rows: readonly ReviewRow[]): number {
  const textOf = (row: ReviewRow): string =>
    row.kind === 'line' ? row.line.text : row.kind === 'pair' ? longer(row.left?.text ?? '', row.right?.text ?? '') : '';
  return (
    Math.min(
      MAX_CHARS,
      rows.reduce((widest, row) => Math.max(widest, widthOf(textOf(row), widest)), 0),
    ) + GUTTER_CHARS
  );
}

/** Skips lines that can't be wider. */
const widthOf = (text: string, widest: number): number => (text.length * 4 <= widest ? 0 : text.length + 3 * (text.split('\t').length - 1));
const longer = (a: string, b: string): string => (a.length > b.length ? a : b);

/** The index of the next or previous row of a kind. */
export function nextRow(rows: readonly ReviewRow[], from: number, step: 1 | -1, kind: 'file' | 'hunk'): number | undefined {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) if (rows[at]?.kind === kind) return at;
  return undefined;
}
