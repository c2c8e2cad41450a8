/** Maps time to x. x counts from `base`, so the picture scrolls with time without being redrawn. */
export interface Scale {
  readonly base: number;
  readonly windowMs: number;
  /** In pixels. */
  readonly width: number;
}

/** After this long the picture is redrawn from a later base. */
const REBASE_MS = 15 * 60_000;

/** The same clock gives the same base. */
export const baseTime = (now: number): number => Math.floor(now / REBASE_MS) * REBASE_MS;

export const xOf = ({ base, windowMs, width }: Scale, at: number): number => round(((at - base) * width) / windowMs);

/** The clock that redraws ticks once a second. */
const LATE = 60;

/** Open spans are drawn beyond now, as far as now can get before the next redraw; the frame clips them. */
export const beyondNow = (scale: Scale): number => xOf(scale, scale.base + REBASE_MS) + LATE;

/** The offset of the picture that puts now at the right edge. Whole device pixels keep edges sharp. */
export function shiftAt({ base, windowMs, width }: Scale, now: number, pixelRatio: number): number {
  const shift = width - ((now - base) * width) / windowMs;
  return Math.round(shift * pixelRatio) / pixelRatio;
}

/** The time at x in the frame. */
export const timeAt = ({ windowMs, width }: Scale, x: number, now: number): number => now - ((width - x) * windowMs) / width;

/** How long it takes the picture to move by one pixel. */
export const pixelMs = ({ windowMs, width }: Scale, pixelRatio: number): number => (width === 0 ? windowMs : windowMs / width / pixelRatio);

const round = (value: number): number => Math.round(value * 10) / 10;
