import { auditOf } from '../../domain/audit/audit.ts';
import type { RunOpening } from '../../domain/session/advance.ts';
import type { Decision } from '../../domain/session/draft.ts';
import { STATE_VERSION } from '../../domain/session/state.ts';
import type { Snapshot, StoredReceipt } from '../../journal/journal.ts';
import type { Event } from '../../protocol/event.ts';
import type { RunId } from '../../protocol/ids.ts';
import { toolServerFor } from './agent-tools.ts';
import { greeting, intentOf, OutboxWriter } from './outbox.ts';
import { freshRow, RunReader } from './run-reader.ts';
import type { SessionActor } from './session-actor.ts';

/** What is stored together with the events of a decision. */
export interface Commit {
  readonly receipt?: StoredReceipt;
  /** Output was read that must not be read again. */
  readonly ingested?: boolean;
  /** Lines with which the adapter replies immediately. */
  readonly replies?: readonly string[];
  /** The run that this decision ends. */
  readonly closed?: RunReader;
}

/** A restart folds at most this many events of a session. */
const SNAPSHOT_EVERY = 100;

/** Makes a decision durable: events, receipt, audit, bytes for the agent, reading position and snapshot in one transaction. A failure changes nothing. */
export function commit(session: SessionActor, decision: Decision, also: Commit): readonly Event[] {
  const { journal } = session.context.deps;
  const launch = decision.effects.find((effect) => effect.type === 'launch');
  const current = also.closed === undefined ? session.run : undefined;
  const run = launch === undefined ? current : freshRun(session, decision, launch.run);
  const writer = run && outboxOf(session, run, decision, also, launch);
  const row =
    run !== undefined && (launch !== undefined || also.ingested === true || (writer?.rows.length ?? 0) > 0) ? run.rowNow(writer?.end ?? run.inByte) : undefined;
  const closed = also.closed?.rowNow(also.closed.inByte, false);
  const snapshot = snapshotOf(session, decision);
  const stored = journal.append({
    session: session.state.id,
    after: session.state.seq,
    at: decision.at,
    events: decision.events,
    audit: auditOf(session.state, decision.events, decision.at),
    runs: [closed, row].filter((one) => one !== undefined),
    ...(also.receipt !== undefined && { receipt: also.receipt }),
    ...(writer !== undefined && { sends: writer.rows }),
    ...(snapshot !== undefined && { snapshot }),
  });
  session.state = decision.state;
  session.run = run;
  if (row !== undefined) run?.stored(row);
  if (snapshot !== undefined) session.snapshotSeq = snapshot.seq;
  return stored;
}

function freshRun(session: SessionActor, decision: Decision, run: RunId): RunReader {
  const adapter = session.adapterOf(decision.state);
  const reader = new RunReader(adapter, freshRow({ sessionId: session.state.id, run }, adapter));
  reader.toolServer = toolServerFor(session, adapter, decision.state);
  return reader;
}

/** Everything this decision sends to the agent: the handshake of a new run, the adapter's replies, then the decision's own messages. */
function outboxOf(session: SessionActor, run: RunReader, decision: Decision, also: Commit, opening: RunOpening | undefined): OutboxWriter {
  const writer = new OutboxWriter(run, run.inByte);
  if (opening !== undefined) writer.lines(greeting(run.adapter, decision.state, opening, run.toolServer));
  writer.lines(also.replies ?? []);
  for (const effect of decision.effects) {
    const intent = intentOf(effect, session.state, decision.state, decision.events, session.context.deps.journal);
    if (intent !== undefined) writer.intent(intent);
  }
  return writer;
}

function snapshotOf(session: SessionActor, decision: Decision): Snapshot | undefined {
  const isSettled = decision.events.some((event) => event.type === 'turn.completed' || event.type === 'session.exited' || event.type === 'session.created');
  if (!isSettled && decision.state.seq - session.snapshotSeq < SNAPSHOT_EVERY) return undefined;
  return { seq: decision.state.seq, version: STATE_VERSION, state: decision.state };
}
