import type { Anchor } from '../../protocol/annotation.ts';
import { compareLines } from '../changes/line-diff.ts';
import type { LineRange } from './move-lines.ts';

/**
 * Where the quoted lines are in today's file: through a line diff from the file as it was, else where the quote occurs only once, or only once
 * with the same lines around it. Undefined if they can't be found: then the comment is shown without a place, never at a wrong one.
 */
export function placeOf(anchor: Anchor, was: LineRange, oldFile: string | undefined, today: string): LineRange | undefined {
  const lines = linesOf(today);
  const quote = linesOf(anchor.quote);
  const moved = oldFile === undefined ? was : moveBetween(linesOf(oldFile), lines, was);
  if (moved !== undefined && holds(lines, quote, moved.from - 1)) return { from: moved.from, to: moved.from + quote.length - 1 };
  const found = lines.flatMap((_, at) => (holds(lines, quote, at) ? [at] : []));
  const [only, ...more] = found.length > 1 ? found.filter((at) => hasContext(lines, quote, at, anchor)) : found;
  return only === undefined || more.length > 0 ? undefined : { from: only + 1, to: only + quote.length };
}

/** Lines without their ends; a carriage return counts as part of the end. */
const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.replace(/\r$/, ''));

const holds = (lines: readonly string[], quote: readonly string[], at: number): boolean =>
  at >= 0 && at + quote.length <= lines.length && quote.every((line, index) => lines[at + index] === line);

function hasContext(lines: readonly string[], quote: readonly string[], at: number, { before = [], after = [] }: Anchor): boolean {
  const behind = lines.slice(Math.max(0, at - before.length), at);
  const ahead = lines.slice(at + quote.length, at + quote.length + after.length);
  return behind.join('\n') === before.join('\n') && ahead.join('\n') === after.join('\n');
}

/** The lines' numbers after the change, or undefined if one of them is gone or something was put between them. */
function moveBetween(before: readonly string[], after: readonly string[], { from, to }: LineRange): LineRange | undefined {
  let [old, fresh, first, last] = [0, 0, 0, 0];
  for (const { kind } of compareLines(before, after)) {
    if (kind !== 'add') old += 1;
    if (kind !== 'del') fresh += 1;
    if (kind !== 'same') continue;
    if (old === from) first = fresh;
    if (old === to) last = fresh;
  }
  return first > 0 && last - first === to - from ? { from: first, to: last } : undefined;
}
