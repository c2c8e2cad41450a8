import * as z from 'zod/mini';
import { SessionId } from '../../../src/protocol/ids.ts';

/** More would be too small to use. */
export const MAX_TILES = 6;
const MAX_COLUMNS = 3;
/** Percent; the smallest still shows a line. */
const MIN_SHARE = 15;
const Share = z.number().check(z.minimum(1), z.maximum(100));

/** The sessions side by side, and their sizes. */
export const TileLayout = z.object({
  sessions: z.array(SessionId).check(z.maxLength(MAX_TILES)),
  columns: z.int().check(z.minimum(1), z.maximum(MAX_COLUMNS)),
  widths: z.array(Share),
  heights: z.array(Share),
});
export type TileLayout = z.infer<typeof TileLayout>;

/** Two side by side, four in a square, six in two rows. */
export const defaultColumns = (count: number): number => (count <= 1 ? 1 : count === 2 || count === 4 ? 2 : MAX_COLUMNS);

/** Equal sizes. */
export function evenLayout(sessions: readonly string[], columns = defaultColumns(sessions.length)): TileLayout {
  const wide = Math.max(1, Math.min(columns, sessions.length, MAX_COLUMNS));
  const high = Math.max(1, Math.ceil(sessions.length / wide));
  return { sessions: parsed(sessions), columns: wide, widths: even(wide), heights: even(high) };
}

const even = (count: number): number[] => Array.from({ length: count }, () => 100 / count);

/** Ids from an address, without duplicates and invalid ones. */
export function parsed(ids: readonly string[]): SessionId[] {
  const known = ids.flatMap((id) => {
    const read = SessionId.safeParse(id.trim());
    return read.success ? [read.data] : [];
  });
  return [...new Set(known)].slice(0, MAX_TILES);
}

/** The saved layout if it is for as many sessions, otherwise equal sizes. */
export function layoutFor(sessions: readonly string[], saved: TileLayout | undefined): TileLayout {
  const fresh = evenLayout(sessions);
  if (saved === undefined || saved.sessions.length !== fresh.sessions.length) return fresh;
  const shape = evenLayout(sessions, saved.columns);
  const fits = saved.widths.length === shape.widths.length && saved.heights.length === shape.heights.length;
  return fits ? { ...shape, widths: saved.widths, heights: saved.heights } : shape;
}

/** Moves size from the neighbor; neither gets too small to use. */
export function resized(shares: readonly number[], at: number, by: number): number[] {
  const next = [...shares];
  const neighbor = at + 1 < shares.length ? at + 1 : at - 1;
  const [mine, other] = [shares[at], shares[neighbor]];
  if (mine === undefined || other === undefined || neighbor < 0) return next;
  const both = mine + other;
  const share = Math.max(MIN_SHARE, Math.min(both - MIN_SHARE, mine + by));
  next[at] = share;
  next[neighbor] = both - share;
  return next;
}

/** Swaps the session with the one `steps` away; at the ends nothing moves. */
export function moved(sessions: readonly string[], id: string, steps: 1 | -1): SessionId[] {
  const at = sessions.indexOf(id);
  const to = at + steps;
  const [mine, other] = [sessions[at], sessions[to]];
  if (mine === undefined || other === undefined) return parsed(sessions);
  return parsed(sessions.map((each, place) => (place === at ? other : place === to ? mine : each)));
}
