import { outcomeOf, type ScriptRequest, scriptOf, startScript } from '../../domain/script/scripts.ts';
import type { ScriptEnd } from '../../domain/session/state.ts';
import { JournalUnwritable } from '../../journal/journal-errors.ts';
import type { Refusal } from '../../protocol/command.ts';
import { type ScriptId, type SessionId, scriptSessionOf } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** Runs a script for a session, once per script id, however often it is asked for and whichever server is asked. Resolves when it has ended. */
export async function runScript(context: EngineContext, parentId: SessionId, script: ScriptRequest): Promise<ScriptEnd | Refusal> {
  const parent = context.sessions.get(parentId);
  if (parent === undefined || parent.state.deleted) return { refused: 'not-found', message: `There is no session ${parentId}.` };
  if (context.closing) return { refused: 'shutting-down', message: 'Signalbox is shutting down. Send this again in a moment.' };
  const known = knownEnd(context, parent, script.scriptId);
  if (known !== undefined) return known;
  const ended = nextEnd(context, parentId, script.scriptId);
  try {
    if (scriptOf(parent.state, script.scriptId) === undefined) parent.note((draft) => startScript(draft, script));
  } catch (error) {
    if (!(error instanceof JournalUnwritable)) throw error;
    return { refused: 'disk-low', message: error.message };
  }
  return ended;
}

/** The parent remembers only the last ones; the script's own session tells about any other. */
function knownEnd({ sessions }: EngineContext, parent: SessionActor, scriptId: ScriptId): ScriptEnd | undefined {
  const known = scriptOf(parent.state, scriptId);
  if (known !== undefined) return known.ended;
  const session = sessions.get(scriptSessionOf(scriptId));
  return session && outcomeOf(session.state);
}

function nextEnd(context: EngineContext, parentId: SessionId, scriptId: ScriptId): Promise<ScriptEnd> {
  return new Promise((resolve) => {
    const stop = context.subscribers.add(parentId, (news) => {
      const event = news.kind === 'events' ? news.events.find((one) => one.type === 'script.ended' && one.scriptId === scriptId) : undefined;
      if (event?.type !== 'script.ended') return;
      stop();
      const { code, signal, durationMs, tail = '', message } = event;
      resolve({ code, signal, durationMs, tail, ...(message !== undefined && { message }) });
    });
  });
}
