import type { Event, EventOf } from '../../protocol/event.ts';
import type { SessionState, TerminalReports } from '../session/state.ts';
import { hookRequestOf } from './hook-request.ts';

/** Enough for every hook that still waits for its answer, small enough for a snapshot. */
const KEPT = 20;

const NONE: TerminalReports = { asks: [], answered: [] };

export function asked(state: SessionState, { askId }: EventOf<'hook.asked'>): SessionState {
  const { idleSince: _, ...before } = state.terminal ?? NONE;
  return { ...state, terminal: { ...before, asks: [...before.asks, { askId, requestId: hookRequestOf(askId) }] } };
}

/** The end of a request that came through a hook. */
export function resolved({ terminal }: SessionState, { requestId, seq }: EventOf<'permission.resolved'>): Pick<SessionState, 'terminal'> {
  const ask = terminal?.asks.find((open) => open.requestId === requestId);
  if (terminal === undefined || ask === undefined) return {};
  return { terminal: { ...terminal, asks: terminal.asks.filter((open) => open !== ask), answered: [...terminal.answered, { ...ask, seq }].slice(-KEPT) } };
}

export function reported(state: SessionState, { event, at }: EventOf<'hook.reported'>): SessionState {
  const { idleSince, ...before } = state.terminal ?? NONE;
  if (event === 'SessionEnd') return { ...state, terminal: before };
  if (event === 'Notification') return { ...state, terminal: { ...before, ...(idleSince !== undefined && { idleSince }) } };
  return { ...state, terminal: { ...before, idleSince: at } };
}

/** Its record shows that it did something after it had reported to be done. */
export function working(state: SessionState, { at }: Event): SessionState {
  const { idleSince } = state.terminal ?? NONE;
  return idleSince === undefined || at <= idleSince ? state : ended(state);
}

/** Nothing is known anymore about what it does. */
export function ended(state: SessionState): SessionState {
  if (state.terminal?.idleSince === undefined) return state;
  const { idleSince: _, ...terminal } = state.terminal;
  return { ...state, terminal };
}
