/** The visible part of the axis, from 0 to 1. */
export interface View {
  readonly from: number;
  readonly to: number;
}

export const ALL: View = { from: 0, to: 1 };
/** The maximum zoom. */
const CLOSEST = 1 / 2000;

/** Zooms in (`by` below 1) or out around a fixed point. */
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
