import { runningScripts } from '../../domain/script/scripts.ts';
import { hasUnfinishedWork } from '../../domain/session/end-run.ts';
import { fold } from '../../domain/session/evolve.ts';
import { newSessionState, type SessionState, STATE_VERSION } from '../../domain/session/state.ts';
import { waitsForSlot } from '../../domain/session/status.ts';
import type { Journal, RunRow } from '../../journal/journal.ts';
import { reconcileRun } from '../../journal/reconcile-run.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { resumeCheckpoint } from '../checkpoints/take-checkpoint.ts';
import { announceAdopted } from '../continue/announce-adopted.ts';
import { performEffect, SEND_MESSAGES, sendPending } from './effects.ts';
import type { EngineContext } from './engine-context.ts';
import { followRun } from './follow-run.ts';
import { RunReader } from './run-reader.ts';
import { SessionActor } from './session-actor.ts';

const PAGE = 1000;

/** Loads every session from the journal. Touches no process. */
export function loadSessions(context: EngineContext): void {
  for (const id of context.deps.journal.sessions()) {
    const snapshot = stateAtSnapshot(context.deps.journal, id);
    const session = new SessionActor(context, foldRest(context.deps.journal, snapshot), snapshot.seq);
    context.sessions.set(id, session);
    if (!session.state.deleted) announceAdopted(session);
  }
}

function stateAtSnapshot(journal: Journal, id: SessionId): SessionState {
  const snapshot = journal.snapshot(id);
  return snapshot?.version === STATE_VERSION ? (snapshot.state as SessionState) : newSessionState(id);
}

function foldRest(journal: Journal, from: SessionState): SessionState {
  let state = from;
  for (;;) {
    const events = journal.after(state.id, state.seq, PAGE);
    state = fold(state, events);
    if (events.length < PAGE) return state;
  }
}

/**
 * Finds the runs of the last server: live ones are followed, dead ones concluded, half-started ones given up.
 * Returns at once. Each session continues when its run has been found; commands that arrive meanwhile wait for that.
 */
export function reconcileRuns(context: EngineContext): void {
  for (const row of context.deps.journal.openRuns()) {
    const session = context.sessions.get(row.session);
    if (session === undefined || session.state.run.phase === 'none' || session.state.run.run !== row.run) continue;
    const run = new RunReader(session.adapter, row);
    session.run = run;
    session.retryUntilDone('find running agents again', () => findAgain(session, run, row));
  }
  for (const session of context.sessions.values()) {
    if (session.state.deleted) performEffect(session, { type: 'forget' });
    else if (waitsForSlot(session.state)) session.advance('server start');
    if (session.state.reverting !== undefined) performEffect(session, { type: 'revert' });
    resumeCheckpoint(session);
    for (const { scriptId } of runningScripts(session.state)) performEffect(session, { type: 'start-script', scriptId });
    session.watchTime();
  }
}

async function findAgain(session: SessionActor, run: RunReader, row: RunRow): Promise<void> {
  const { host } = session.context.deps;
  const found = await host.claim(run.ref);
  if (found.phase === 'absent') return session.exit({ run: row.run, code: null, signal: null, memory: 'absent', neverBegan: true });
  run.isGone = found.phase === 'ended' || found.phase === 'died';
  if (row.adapterVersion !== session.adapter.version) await refold(session.context, run, row);
  const size = await host.outputSize(run.ref);
  const place = reconcileRun(row, size);
  if (place.kind === 'shorter') noteShorter(session, run, place.fileSize);
  followRun(session, run, size);
  host.ring(run.ref);
  session.retryUntilDone(SEND_MESSAGES, () => sendPending(session, run));
  if (session.state.run.phase === 'ending') performEffect(session, { type: 'end', run: row.run, midTurn: hasUnfinishedWork(session.state) });
}

/** The adapter has changed since the output was read, so its state is folded again from byte 0. The events are in the journal already. */
async function refold(context: EngineContext, run: RunReader, row: RunRow): Promise<void> {
  const bytes = await context.deps.host.readOutput(run.ref, 0, row.outByte);
  let state = run.adapter.initial();
  for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
    if (line !== '') state = run.adapter.translate(state, line).state;
  }
  run.refolded(state);
}

/** After a power loss the file can lack bytes that the journal has already read. Their events stay, and reading continues at the end of the file. */
function noteShorter(session: SessionActor, run: RunReader, size: number): void {
  run.skipTo(size);
  const reason = 'the output file lost its end in a power failure; what the journal had of it is kept';
  session.note((draft) => draft.emit({ type: 'output.lost', fromByte: size, reason }), { ingested: true });
}
