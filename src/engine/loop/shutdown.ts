import { STATE_VERSION } from '../../domain/session/state.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { EngineContext } from './engine-context.ts';
import type { SessionActor } from './session-actor.ts';

/** Resolves when nothing is left to do and nothing is left to read. */
export async function drainAll(context: EngineContext): Promise<void> {
  do {
    await context.deps.host.drain();
    await drainEffects(context);
    await context.checkpointWork.idle();
    await context.plans.idle();
  } while (!isQuiet(context));
}

/** Resolves when all effects have been performed. */
async function drainEffects(context: EngineContext): Promise<void> {
  do {
    await Promise.all([...context.sessions.values()].map((session) => session.drain()));
    await new Promise((resolve) => setImmediate(resolve));
  } while (!isQuiet(context));
}

const isQuiet = (context: EngineContext): boolean =>
  context.checkpointWork.isQuiet && context.plans.isQuiet && [...context.sessions.values()].every((session) => session.isQuiet);

/** Stops this server's work. Agents keep running unless `stopAgents` is set; their output goes to files. */
export async function closeEngine(context: EngineContext, stopAgents: boolean): Promise<void> {
  if (context.closing) return;
  context.closing = true;
  if (stopAgents) for (const session of context.sessions.values()) stop(session);
  await context.checkpointWork.stop();
  await drainEffects(context);
  for (const session of context.sessions.values()) {
    session.stopWatchingTime();
    session.run?.close();
    if (session.state.seq > session.snapshotSeq && !session.state.deleted) storeSnapshot(session);
  }
  await context.deps.journal.sync();
}

function stop(session: SessionActor): void {
  if (session.state.run.phase === 'none') return;
  const { deps } = session.context;
  const commandId = `shutdown:${deps.newId()}` as CommandId;
  session.command({ command: { type: 'session.stop', commandId, sessionId: session.state.id }, node: deps.machine.node }, SYSTEM, '');
}

export function storeSnapshot(session: SessionActor): void {
  const { journal, now } = session.context.deps;
  const { state } = session;
  journal.append({ session: state.id, after: state.seq, at: now().toISOString(), events: [], snapshot: { seq: state.seq, version: STATE_VERSION, state } });
  session.snapshotSeq = state.seq;
}
