import { JournalUnwritable } from '../../journal/journal-errors.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** Applies the active rules to the pending requests of these sessions. An answer that can't be stored (full disk) is left to a person. */
export function applyRules(context: EngineContext, sessions: Iterable<SessionActor>): void {
  for (const session of [...sessions]) {
    try {
      session.answerByRules();
    } catch (error) {
      if (!(error instanceof JournalUnwritable)) throw error;
      context.deps.log.error({ error, session: session.state.id }, 'the answer of a rule could not be stored');
    }
  }
}
