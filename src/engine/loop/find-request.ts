import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { RequestId, RunId, SessionId } from '../../protocol/ids.ts';
import type { EngineContext } from './engine-context.ts';
import type { SessionActor } from './session-actor.ts';

/** The session of a pending or closed request. The state knows the recent ones; for all others, the request's id contains the run. */
export function sessionOfRequest(context: EngineContext, requestId: RequestId): SessionId | undefined {
  for (const session of context.sessions.values()) {
    const known = [...session.state.permissions, ...session.state.closedPermissions].some((request) => request.requestId === requestId);
    if (known) return session.state.id;
  }
  const sessionId = context.deps.journal.run(runOf(requestId))?.session;
  return sessionId !== undefined && context.sessions.has(sessionId) ? sessionId : undefined;
}

/** A run that is ending counts as ended: nothing more is done in its name. */
export function sessionOfRun(context: EngineContext, run: RunId): SessionId | undefined {
  const sessionId = context.deps.journal.run(run)?.session;
  const state = sessionId === undefined ? undefined : context.sessions.get(sessionId)?.state;
  if (state === undefined || state.deleted) return undefined;
  return (state.run.phase === 'opened' || state.run.phase === 'ready') && state.run.run === run ? state.id : undefined;
}

/** After a restart, an answer waits until it is known whether the agent that asked is still alive. */
export async function afterReconcile(session: SessionActor | undefined): Promise<void> {
  if (session?.run !== undefined && !session.run.isCaughtUp && !session.run.isGone) await session.drain();
}

/** An old request that the state no longer knows was closed, so it isn't "not found". */
export function explainRefusal(context: EngineContext, command: CommandOf<'permission.answer'>, refusal: Refusal): Refusal {
  const isOld = refusal.refused === 'not-found' && context.deps.journal.run(runOf(command.requestId))?.session === command.sessionId;
  return isOld
    ? { refused: 'already-answered', message: 'This request is no longer open. The audit log shows how it was answered. Nothing was changed.' }
    : refusal;
}

/** A request's id is `<run>:<the agent's own id>`. */
const runOf = (requestId: RequestId): RunId => requestId.slice(0, Math.max(requestId.indexOf(':'), 0)) as RunId;
