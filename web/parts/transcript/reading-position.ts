import * as z from 'zod/mini';

/** Where somebody was reading when the page was left: the topmost row on the screen, and how far from the edge it begins. */
const LeftPlace = z.object({ sessionId: z.string(), hash: z.string(), seq: z.int(), px: z.number() });
export type LeftPlace = z.infer<typeof LeftPlace>;

const KEY = 'signalbox:left';

/** Called when the page goes; nothing is left by whoever was at the end. */
export function leaveAt(place: LeftPlace | undefined): void {
  try {
    if (place === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    // A storage that is forbidden or full: a reload then leads to the end.
  }
}

/** The place that was left, once, when the page was loaded again: a link leads where it says. */
export function takeLeft(): LeftPlace | undefined {
  const [load] = performance.getEntriesByType('navigation');
  const isAgain = load !== undefined && 'type' in load && load.type === 'reload';
  const found = isAgain ? readLeft() : undefined;
  leaveAt(undefined);
  return found;
}

function readLeft(): LeftPlace | undefined {
  try {
    return LeftPlace.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''));
  } catch {
    return undefined;
  }
}
