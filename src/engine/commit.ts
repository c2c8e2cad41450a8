import type { Decision } from '../domain/session/draft.ts';
import { STATE_VERSION } from '../domain/session/state.ts';
import type { Entry, RunRow, Snapshot, StoredReceipt } from '../journal/journal.ts';
import type { Event } from '../protocol/event.ts';
import { greeting, intentOf, OutboxWriter } from './outbox.ts';
import { freshRow, RunBox } from './run-box.ts';
import type { SessionBox } from './session-box.ts';

/** What is stored together with the events of a decision. */
export interface Commit {
  readonly receipt?: StoredReceipt;
  /** Output was heard that must not be heard again. */
  readonly heard?: boolean;
  /** Lines with which the adapter answers at once. */
  readonly replies?: readonly string[];
  /** The run that is over with this decision. */
  readonly closed?: RunBox;
}

/** A restart folds at most this many events of a session. */
const SNAPSHOT_EVERY = 100;

/** Makes a decision durable: events, receipt, bytes for the agent, reading position and snapshot in one transaction. */
export function commit(box: SessionBox, decision: Decision, also: Commit): readonly Event[] {
  const before = box.state;
  const { journal } = box.world.deps;
  const launch = decision.effects.find((effect) => effect.type === 'launch');
  const adapter = box.adapterOf(decision.state);
  if (launch !== undefined) box.run = new RunBox(adapter, freshRow({ sessionId: before.id, run: launch.run }, adapter));
  const writer = box.run && new OutboxWriter(box.run, box.run.inByte);
  if (launch !== undefined) writer?.lines(greeting(adapter, decision.state, launch.mode));
  writer?.lines(also.replies ?? []);
  for (const effect of decision.effects) {
    const intent = intentOf(effect, before, decision.state, decision.events, journal);
    if (intent !== undefined) writer?.intent(intent);
  }
  const rows = runRows(box.run, writer, also, launch !== undefined);
  const snapshot = snapshotOf(box, decision);
  const entry: Entry = {
    session: before.id,
    after: before.seq,
    at: box.world.deps.now().toISOString(),
    events: decision.events,
    ...(also.receipt !== undefined && { receipt: also.receipt }),
    ...(writer !== undefined && writer.rows.length > 0 && { sends: writer.rows }),
    ...(rows.length > 0 && { runs: rows }),
    ...(snapshot !== undefined && { snapshot }),
  };
  const stored = journal.append(entry);
  box.state = decision.state;
  if (snapshot !== undefined) box.snapshotSeq = snapshot.seq;
  return stored;
}

function runRows(run: RunBox | undefined, writer: OutboxWriter | undefined, also: Commit, launched: boolean): readonly RunRow[] {
  const rows: RunRow[] = [];
  if (also.closed !== undefined) rows.push(also.closed.rowNow(also.closed.inByte, false));
  const moved = launched || also.heard === true || (writer !== undefined && writer.rows.length > 0);
  if (run !== undefined && moved) rows.push(run.rowNow(writer?.end ?? run.inByte));
  return rows;
}

function snapshotOf(box: SessionBox, decision: Decision): Snapshot | undefined {
  const rests = decision.events.some((event) => event.type === 'turn.completed' || event.type === 'session.exited' || event.type === 'session.created');
  if (!rests && decision.state.seq - box.snapshotSeq < SNAPSHOT_EVERY) return undefined;
  return { seq: decision.state.seq, version: STATE_VERSION, state: decision.state };
}
