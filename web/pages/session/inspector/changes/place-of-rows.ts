import type { CommentPlace } from '../../../../parts/annotations/comment-context.ts';
import { linePlace } from '../../../../parts/annotations/line-place.ts';
import type { DiffLine } from '../../../../parts/diff/patch.ts';
import type { ReviewRow } from './rows.ts';

/** Where a comment on these rows of a diff belongs: on the lines of today's file in the first file, or on removed lines if there are only those. */
export function placeOfRows(rows: readonly ReviewRow[]): CommentPlace | undefined {
  const path = rows.find((row) => row.kind === 'line' || row.kind === 'pair')?.path;
  if (path === undefined) return undefined;
  const lines = rows.flatMap((row) => (('path' in row && row.path !== path) || row.kind === 'wait' ? [] : linesOf(row)));
  return placeOf(path, lines, 'new') ?? placeOf(path, lines, 'old');
}

function linesOf(row: ReviewRow): readonly DiffLine[] {
  if (row.kind === 'line') return [row.line];
  if (row.kind !== 'pair') return [];
  return [row.left?.kind === 'del' ? row.left : undefined, row.right].filter((line) => line !== undefined);
}

function placeOf(path: string, lines: readonly DiffLine[], side: 'old' | 'new'): CommentPlace | undefined {
  const numbered = lines.flatMap((line) => {
    const number = side === 'new' ? line.newLine : line.kind === 'del' ? line.oldLine : undefined;
    return number === undefined ? [] : [{ number, text: line.text }];
  });
  const [first] = numbered;
  if (first === undefined) return undefined;
  // A comment is on lines without a gap: what is between two hunks isn't shown.
  const run = numbered.filter(({ number }, at) => number === first.number + at);
  return linePlace(path, [first.number, first.number + run.length - 1], run.map(({ text }) => text).join('\n'), side);
}
