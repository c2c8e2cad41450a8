import type { EventOf } from '../../protocol/event.ts';
import { askOfRequest, isApproval } from '../permission/tool-ask.ts';
import type { OpenAsk, SessionState } from './state.ts';

/** Enough for every call that can be repeated, small enough for a snapshot. */
const KEPT = 20;

export function asked(state: SessionState, event: EventOf<'tool.asked'>): SessionState {
  const { askId, run, tool, input, toolUseId = null, agentRequestId = null } = event;
  return { ...state, asks: [...state.asks, { askId, run, tool, input, toolUseId, agentRequestId, isApproved: false }] };
}

export function answered(state: SessionState, event: EventOf<'tool.answered'>): SessionState {
  const ask = state.asks.find((open) => open.askId === event.askId);
  if (ask === undefined) return state;
  const { isApproved: _, agentRequestId, ...call } = ask;
  const { outcome, text, repeats } = event;
  // What is only read is read again; the answer of a person or a started session must not be lost.
  const kept = { ...call, outcome, text, isReceived: agentRequestId === null };
  const others = state.answeredAsks.map((old) => (old.askId === repeats ? { ...old, isReceived: true } : old));
  const answeredAsks = READS.has(ask.tool) ? others : [...others, kept].slice(-KEPT);
  return { ...state, asks: state.asks.filter((open) => open !== ask), answeredAsks };
}

const READS: ReadonlySet<string> = new Set(['find_sessions', 'read_session']);

/** The agent reported the result of the call, so it has the answer. What we closed ourselves says nothing about that. */
export function received(state: SessionState, { toolUseId, closedBy }: EventOf<'tool.completed'>): SessionState['answeredAsks'] {
  if (closedBy !== undefined || !state.answeredAsks.some((ask) => ask.toolUseId === toolUseId)) return state.answeredAsks;
  return state.answeredAsks.map((ask) => (ask.toolUseId === toolUseId ? { ...ask, isReceived: true } : ask));
}

export function approved(state: SessionState, { requestId, behavior, answers }: EventOf<'permission.resolved'>): readonly OpenAsk[] {
  const ask = askOfRequest(state, requestId);
  if (
    ask === undefined ||
    !isApproval(
      behavior,
      Object.values(answers ?? {})
        .flat()
        .join(', '),
    )
  )
    return state.asks;
  return state.asks.map((open) => (open === ask ? { ...open, isApproved: true } : open));
}
