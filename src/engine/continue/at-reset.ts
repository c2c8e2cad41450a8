import { preferenceFor, type ResetPreference } from '../../domain/policy/reset-preference.ts';
import { scheduleAtReset, staggered, unscheduleAtReset } from '../../domain/session/at-reset.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** The preference that applies to a session. */
export const resetPreference = ({ context, state }: SessionActor): ResetPreference | undefined =>
  state.born === null ? undefined : preferenceFor(context.workspace.state.atReset, { id: state.id, cwd: state.born.cwd });

/** When a session continues after this reset; undefined if it should not. */
export function resumesAt(session: SessionActor, resetsAt: string): string | undefined {
  if (resetPreference(session)?.choice !== 'on') return undefined;
  const { sessions, deps } = session.context;
  const taken = [...sessions.values()].flatMap(({ state }) => (state.deleted ? [] : (state.continuation?.resumesAt ?? [])));
  return staggered(resetsAt, deps.now().toISOString(), taken);
}

/** A changed preference applies to sessions that are at their limit now. */
export function applyResetPreference(context: EngineContext): void {
  for (const session of context.sessions.values()) {
    if (session.state.deleted || session.state.limit === null) continue;
    session.noteIfAny(resetPreference(session)?.choice === 'on' ? scheduleAtReset : unscheduleAtReset);
    session.publishSummary();
  }
}
