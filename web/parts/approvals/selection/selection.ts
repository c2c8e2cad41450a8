/** The state of a request that a page shows: it is pending, it was answered on this page, or it ended in another way. */
export type RequestPhase = 'waiting' | 'answered' | 'decided';

/** The requests that a page shows, in their order. */
export type ShownRequests = ReadonlyMap<string, RequestPhase>;

/** How a request came to be selected: it was there when the page opened, it was the first to appear, a person selected it, or the page moved on to it after an answer. */
export type SelectedBy = 'at-open' | 'by-itself' | 'by-user' | 'after-answer';

/** The one request that keys act on. */
export interface Selection {
  readonly requestId: string;
  readonly chosen: SelectedBy;
  /** Its position in the list; j and k continue from there when it is gone. */
  readonly at: number;
}

/** `undefined`: nothing was ever shown here. `none`: what was shown is gone, or the person cleared the selection. */
export type Selected = Selection | 'none' | undefined;

/**
 * What is selected, now that these requests are shown. The selection moves on by itself only from a request that was answered on this page. When a selected
 * request ends in any other way, the selection stays in its position with nothing to answer: the next key press was meant for that request and no other.
 */
export function settled(selected: Selected, shown: ShownRequests): Selected {
  if (shown.size === 0) return selected === undefined ? undefined : 'none';
  if (selected === undefined || selected === 'none') {
    const first = firstWaiting(shown);
    return first === undefined ? selected : selectionOf(shown, first, selected === undefined ? 'at-open' : 'by-itself');
  }
  if (!shown.has(selected.requestId)) return selected;
  const next = shown.get(selected.requestId) === 'answered' ? nextWaiting(shown, selected.requestId) : undefined;
  if (next !== undefined) return selectionOf(shown, next, 'after-answer');
  const at = positionOf(shown, selected.requestId);
  return at === selected.at ? selected : { ...selected, at };
}

/** Keys didn't act here for a while: people who come back have to look again before they answer, as if the page had made the selection. */
export const withoutKeys = (selected: Selected): Selected =>
  typeof selected === 'object' && selected.chosen !== 'by-itself' ? { ...selected, chosen: 'by-itself' } : selected;

export const selectionOf = (shown: ShownRequests, requestId: string, chosen: SelectedBy): Selection => ({
  requestId,
  chosen,
  at: positionOf(shown, requestId),
});

const positionOf = (shown: ShownRequests, requestId: string): number => [...shown.keys()].indexOf(requestId);

const firstWaiting = (shown: ShownRequests): string | undefined => waitingIn([...shown])[0];

/** The next pending request: below, otherwise above; undefined if there is no other. */
export function nextWaiting(shown: ShownRequests, requestId: string): string | undefined {
  const [all, at] = [[...shown], positionOf(shown, requestId)];
  return waitingIn(all.slice(at + 1))[0] ?? waitingIn(all.slice(0, Math.max(0, at))).at(-1);
}

const waitingIn = (requests: readonly (readonly [string, RequestPhase])[]): readonly string[] =>
  requests.filter(([, phase]) => phase === 'waiting').map(([requestId]) => requestId);

/** The request one step further, stopping at the ends. If the selected one is gone: the one now in its position, or the one above. */
export function stepFrom(shown: ShownRequests, selection: Selection | undefined, steps: 1 | -1): string | undefined {
  const ids = [...shown.keys()];
  const at = selection === undefined ? -1 : ids.indexOf(selection.requestId);
  const isGone = selection !== undefined && at < 0;
  const to = isGone ? selection.at + (steps === 1 ? 0 : -1) : at + steps;
  return ids[Math.min(ids.length - 1, Math.max(0, to))];
}
