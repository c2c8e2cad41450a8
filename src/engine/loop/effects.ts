import type { RunOpening } from '../../domain/session/advance.ts';
import type { Effect } from '../../domain/session/draft.ts';
import { foundDriver } from '../../domain/session/driver.ts';
import { DiskFull, InputClosed, LaunchFailed } from '../../host/host.ts';
import { performRevert, RESTORE_FILES } from '../checkpoints/revert-files.ts';
import { driverOf, LaunchCancelled, OpenInOtherProgram } from '../external/find-holders.ts';
import { takeOver } from '../external/takeover.ts';
import { deleteScriptsOf, START_SCRIPTS, startScript } from '../scripts/start-script.ts';
import { revokeRulesOf } from '../workspace-commands.ts';
import { continueWorktree, WORKTREES } from '../worktrees/make.ts';
import { FOLLOW, followRun } from './follow-run.ts';
import { startRun } from './launch.ts';
import { keepConversationsPrivate } from './private-sessions.ts';
import type { RunReader } from './run-reader.ts';
import type { SessionActor } from './session-actor.ts';

/** Safe to retry: messages stay in the journal until they are sent. */
export const SEND_MESSAGES = 'send messages to agents';

/** Performs an effect of a decision that is durable. Effects of one session run in order. */
export function performEffect(session: SessionActor, effect: Effect): void {
  const { run } = session;
  switch (effect.type) {
    case 'launch':
      if (run !== undefined) session.work(() => launch(session, run, effect));
      return;
    case 'send-input':
    case 'send-interrupt':
    case 'send-answer':
    case 'send-setting':
    case 'send-rewind':
    case 'send-tool-answer':
      if (run !== undefined) session.retryUntilDone(SEND_MESSAGES, () => sendPending(session, run));
      return;
    case 'take-over':
      session.work(() => takeOver(session, effect.pid));
      return;
    case 'end':
      if (run !== undefined) session.retryUntilDone('stop agents', () => endRun(session, run, effect.midTurn));
      return;
    case 'revert':
      session.retryUntilDone(RESTORE_FILES, () => performRevert(session));
      return;
    case 'enable-checkpoints':
      session.work(() => enableCheckpoints(session));
      return;
    case 'start-script':
      session.retryUntilDone(START_SCRIPTS, () => startScript(session, effect.scriptId));
      return;
    case 'worktree':
      session.retryUntilDone(WORKTREES, () => continueWorktree(session));
      return;
    case 'forget':
      session.work(() => forget(session));
      return;
  }
}

async function launch(session: SessionActor, run: RunReader, opening: RunOpening): Promise<void> {
  try {
    await startRun(session, run, opening);
  } catch (error) {
    run.isGone = true; // There is no process to send to.
    return session.retryUntilDone('note that agents could not be started', async () => {
      if (session.run === run) launchFailed(session, run, error);
    });
  }
  session.retryUntilDone(FOLLOW, async () => {
    if (session.run === run && run.follower === undefined) followRun(session, run);
  });
  session.retryUntilDone(SEND_MESSAGES, () => sendPending(session, run));
}

function launchFailed(session: SessionActor, run: RunReader, error: unknown): void {
  if (error instanceof OpenInOtherProgram) return yieldToHolder(session, run, error);
  if (error instanceof LaunchCancelled) return abandonRun(session, run);
  session.context.deps.log.warn({ error, session: session.state.id }, 'an agent could not be started');
  session.exit({ run: run.ref.run, code: null, signal: null, memory: 'absent', couldNotStart: reasonOf(error) });
}

/** The cause of a failed launch is more useful than the error around it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof LaunchFailed ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Another program has the conversation open: the run is not started, and its messages stay queued. */
function yieldToHolder(session: SessionActor, run: RunReader, { holder }: OpenInOtherProgram): void {
  session.note((draft) => foundDriver(draft, driverOf(holder)));
  session.exit({ run: run.ref.run, code: null, signal: null, memory: 'absent', neverBegan: true });
}

/** The run was ended before it started. If the server is shutting down, the next one starts it. */
function abandonRun(session: SessionActor, run: RunReader): void {
  if (!session.context.closing) session.exit({ run: run.ref.run, code: null, signal: null, memory: 'absent', neverBegan: true });
}

/** Sends pending messages to the agent in order: makes them durable, writes them to its input, then marks them as done. */
export async function sendPending(session: SessionActor, run: RunReader): Promise<void> {
  const { journal, host, log } = session.context.deps;
  if (run.isGone) return;
  const rows = journal.pendingSends(run.ref.run);
  if (rows.length > 0) await journal.sync();
  for (const row of rows) {
    try {
      await host.send(run.ref, row.offset, row.bytes, { urgent: true });
    } catch (error) {
      if (error instanceof DiskFull) return log.warn({ error, session: session.state.id }, 'input is waiting for disk space');
      if (error instanceof InputClosed) return log.warn({ error, session: session.state.id }, 'input arrived after the agent was asked to end');
      throw error;
    }
    journal.sendDone(run.ref.run, row.offset);
  }
}

async function endRun(session: SessionActor, run: RunReader, midTurn: boolean): Promise<void> {
  const { journal, host } = session.context.deps;
  if (run.isGone) return;
  const rows = journal.pendingSends(run.ref.run);
  const last = midTurn ? rows.at(-1) : undefined;
  if (last === undefined) {
    await sendPending(session, run);
    return host.end(run.ref, { how: midTurn ? 'signal' : 'idle' });
  }
  if (rows.length > 1) await syncOrEnd(session, run);
  for (const row of rows.slice(0, -1)) {
    await host.send(run.ref, row.offset, row.bytes, { urgent: true });
    journal.sendDone(run.ref.run, row.offset);
  }
  await host.end(run.ref, { how: 'interrupt', offset: last.offset, bytes: last.bytes });
  journal.sendDone(run.ref.run, last.offset);
}

/** If nothing can be made durable, the agent gets no further input, but it must not keep running unattended. */
async function syncOrEnd(session: SessionActor, run: RunReader): Promise<void> {
  const { journal, host } = session.context.deps;
  try {
    await journal.sync();
  } catch (error) {
    await host.end(run.ref, { how: 'signal' });
    throw error;
  }
}

async function forgetCheckpoints({ context, state }: SessionActor): Promise<void> {
  if (!context.checkpointWork.isAvailable || state.born === null) return;
  await (await context.checkpointWork.checkpoints()).forget(state.born.cwd, state.id);
  context.checkpointWork.forgetLog(state.id);
}

async function enableCheckpoints({ context, state }: SessionActor): Promise<void> {
  if (context.checkpointWork.isAvailable && state.born !== null) await (await context.checkpointWork.checkpoints()).turnOn(state.born.cwd);
}

/** Deletes everything of a session once none of its processes runs. The agent's own files stay. */
async function forget(session: SessionActor): Promise<void> {
  const { deps, subscribers, sessions, audit } = session.context;
  const { id } = session.state;
  session.run?.close();
  session.run = undefined;
  await audit.finish(id);
  await deps.secrets.forget(id);
  await deps.host.forget(id);
  await forgetCheckpoints(session);
  revokeRulesOf(session.context, id);
  await deleteScriptsOf(session);
  keepConversationsPrivate(session.context, session.state);
  deps.journal.forget(id);
  sessions.delete(id);
  deps.onSummary(id, deps.journal.position());
  subscribers.publish(id, { kind: 'deleted', sessionId: id });
  session.context.slotsChanged();
}
