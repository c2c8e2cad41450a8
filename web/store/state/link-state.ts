import type { Link, Phase } from '../../client/socket/link.ts';
import type { AppState } from './app-state.ts';

/** What the page shows of the connection. Every frame changes the link; only visible changes change this state. */
export function withLink(state: AppState, { phase, unacknowledged }: Link): AppState {
  const unsent = sameValues(state.unsent, unacknowledged.values());
  if (unsent === state.unsent && isSame(state.phase, phase)) return state;
  const wasOpen = state.wasOpen || phase.name === 'open';
  const disconnectedSince = phase.name === 'open' || !wasOpen ? undefined : (state.disconnectedSince ?? state.now);
  // Offline, the server's problems are unknown; it reports them again after the next welcome.
  const problems = phase.name === 'open' ? state.problems : NONE;
  return { ...state, phase, wasOpen, unsent, disconnectedSince, problems };
}

const NONE: AppState['problems'] = [];

const isSame = (before: Phase, after: Phase): boolean =>
  before === after || (before.name === 'open' && after.name === 'open' && before.serverId === after.serverId);

function sameValues<T>(before: readonly T[], after: Iterable<T>): readonly T[] {
  const next = [...after];
  return next.length === before.length && next.every((value, at) => value === before[at]) ? before : next;
}
