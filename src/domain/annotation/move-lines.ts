import type { Hunk } from '../changes/patch.ts';

/** Lines `from` to `to`, both included, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Where lines are after a change, and whether the change touched one of them. */
export function moveThrough(hunks: readonly Hunk[], { from, to }: LineRange): { readonly range: LineRange; readonly touched: boolean } {
  let [first, last, touched] = [from, to, false];
  for (const hunk of hunks) {
    // Numbers of the old file, counted through the hunk; what was added or removed before a line moves it.
    let old = hunk.old + 1;
    for (const { sign } of hunk.lines) {
      if (sign === '+') {
        if (old <= from) first += 1;
        if (old <= to) last += 1;
        touched ||= old > from && old <= to;
      } else {
        if (sign === '-') {
          if (old < from) first -= 1;
          if (old <= to) last -= 1;
          touched ||= old >= from && old <= to;
        }
        old += 1;
      }
    }
  }
  return { range: { from: first, to: Math.max(first, last) }, touched };
}
