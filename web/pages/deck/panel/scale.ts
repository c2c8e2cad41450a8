/** How a moment becomes a place. Places are counted from `base`, so that the passing of time moves the whole picture and redraws none of it. */
export interface Scale {
  readonly base: number;
  readonly windowMs: number;
  /** The width of the window on the screen. */
  readonly width: number;
}

/** After so long the picture is drawn anew from a later base. */
const REBASE_MS = 15 * 60_000;

/** The same clock gives the same base. */
export const baseAt = (now: number): number => Math.floor(now / REBASE_MS) * REBASE_MS;

export const placeOf = ({ base, windowMs, width }: Scale, at: number): number => round(((at - base) * width) / windowMs);

/** The clock that redraws ticks once a second. */
const LATE = 60;

/** What is not over is drawn beyond now, as far as now can come; the frame cuts it off there. */
export const beyondNow = (scale: Scale): number => placeOf(scale, scale.base + REBASE_MS) + LATE;

/** Where the picture stands in its frame: its now at the right edge. Whole pixels of the screen, so that edges stay sharp. */
export function shiftAt({ base, windowMs, width }: Scale, now: number, pixelRatio: number): number {
  const shift = width - ((now - base) * width) / windowMs;
  return Math.round(shift * pixelRatio) / pixelRatio;
}

/** The moment at a place of the frame. */
export const momentOf = ({ windowMs, width }: Scale, x: number, now: number): number => now - ((width - x) * windowMs) / width;

/** How long the picture may stand still before it is a pixel late. */
export const stillMs = ({ windowMs, width }: Scale, pixelRatio: number): number => (width === 0 ? windowMs : windowMs / width / pixelRatio);

const round = (value: number): number => Math.round(value * 10) / 10;
