import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { RequestId, RunId, SessionId } from '../../protocol/ids.ts';
import type { World } from '../engine-context.ts';
import type { SessionBox } from './session-actor.ts';

/** The session in which a request waits, or once waited: the state remembers the last ones, the run in its name tells of all others. */
export function sessionOfRequest(world: World, requestId: RequestId): SessionId | undefined {
  for (const box of world.boxes.values()) {
    const known = [...box.state.permissions, ...box.state.closedPermissions].some((request) => request.requestId === requestId);
    if (known) return box.state.id;
  }
  const session = world.deps.journal.run(runOf(requestId))?.session;
  return session !== undefined && world.boxes.has(session) ? session : undefined;
}

/** After a restart an answer waits until it is known whether the agent that asked still lives. */
export async function whenFound(box: SessionBox | undefined): Promise<void> {
  if (box?.run !== undefined && !box.run.isCaughtUp && !box.run.isGone) await box.drain();
}

/** A request of long ago is not unknown: it was closed. */
export function inWords(world: World, command: CommandOf<'permission.answer'>, refusal: Refusal): Refusal {
  const isOld = refusal.refused === 'not-found' && world.deps.journal.run(runOf(command.requestId))?.session === command.sessionId;
  return isOld
    ? { refused: 'already-answered', message: 'This request is not open any more. The audit says what became of it. Nothing was changed.' }
    : refusal;
}

/** A request's id is made of the run and the agent's own id of it. */
const runOf = (requestId: RequestId): RunId => requestId.slice(0, Math.max(requestId.indexOf(':'), 0)) as RunId;
