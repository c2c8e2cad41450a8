import type { Link, Phase } from '../../client/socket/link.ts';
import type { AppState } from './app-state.ts';

/** What the page shows of the connection. Every frame changes the link, if only when it was last heard: what nobody can see changes nothing here. */
export function withLink(state: AppState, { phase, unacknowledged }: Link): AppState {
  const unsent = sameValues(state.unsent, unacknowledged.values());
  if (unsent === state.unsent && isSame(state.phase, phase)) return state;
  const wasOpen = state.wasOpen || phase.name === 'open';
  const silentSince = phase.name === 'open' || !wasOpen ? undefined : (state.silentSince ?? state.now);
  // Without a connection nobody knows what works on the server; it says so again after the next welcome.
  const problems = phase.name === 'open' ? state.problems : NONE;
  return { ...state, phase, wasOpen, unsent, silentSince, problems };
}

const NONE: AppState['problems'] = [];

const isSame = (before: Phase, after: Phase): boolean =>
  before === after || (before.name === 'open' && after.name === 'open' && before.serverId === after.serverId);

function sameValues<T>(before: readonly T[], after: Iterable<T>): readonly T[] {
  const next = [...after];
  return next.length === before.length && next.every((value, at) => value === before[at]) ? before : next;
}
