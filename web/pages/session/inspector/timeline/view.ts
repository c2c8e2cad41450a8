/** The part of the axis that is looked at, from 0 to 1. */
export interface View {
  readonly from: number;
  readonly to: number;
}

export const ALL: View = { from: 0, to: 1 };
/** Nearer than this nobody needs to come. */
const CLOSEST = 1 / 2000;

/** Nearer (`by` below 1) or farther, around a place that stays where it is. */
export function zoomed({ from, to }: View, by: number, around: number): View {
  const width = Math.min(1, Math.max(CLOSEST, (to - from) * by));
  const share = (around - from) / (to - from);
  return within(around - share * width, width);
}

export const moved = ({ from, to }: View, by: number): View => within(from + by * (to - from), to - from);

function within(from: number, width: number): View {
  const start = Math.min(1 - width, Math.max(0, from));
  return { from: start, to: start + width };
}
