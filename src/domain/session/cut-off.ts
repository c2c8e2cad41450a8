import type { EventOf } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { SessionState } from './state.ts';

/** What people send to let an agent continue with a turn that was cut off. */
export const CONTINUE_TEXT = 'You were interrupted in the middle of this. Check what is already done, then continue.';

/** The same id for everyone who continues this turn, so that it continues once, however many people and tabs ask for it. */
export const continueId = (sessionId: string, seq: number): CommandId => `continue:${sessionId}:${seq}` as CommandId;

/** A turn that ended because its process was gone. Whether nobody saw it happen is known once the exit is. */
export function cutOffBy(state: SessionState, { seq, at, stopReason }: EventOf<'turn.completed'>): SessionState {
  return stopReason === 'agent_exited' ? { ...state, cutOff: { seq, at, isFoundAtStart: false } } : withoutCutOff(state);
}

/** Only a process that died cuts a turn off; a person who stops one knows about it. */
export function cutOffAtExit(state: SessionState, { reason, foundAtStart }: EventOf<'session.exited'>): SessionState {
  if (reason !== 'died' || state.cutOff === undefined) return withoutCutOff(state);
  return { ...state, cutOff: { ...state.cutOff, isFoundAtStart: foundAtStart === true } };
}

export function withoutCutOff(state: SessionState): SessionState {
  if (state.cutOff === undefined) return state;
  const { cutOff: _, ...rest } = state;
  return rest;
}
