import type { RecordBatch, RecordLine, RecordPosition } from '../../archive/past-sessions-port.ts';
import { arrived, isLent, lentIn } from '../../domain/queue/lease.ts';
import type { Draft } from '../../domain/session/draft.ts';
import { conversationOf } from '../../domain/session/driver.ts';
import { isShownType } from '../../domain/session/inherit.ts';
import { type KnownLines, keysOf } from '../../domain/session/known-lines.ts';
import type { Input } from '../../domain/session/state.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { AgentId } from '../../protocol/ids.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { storeSnapshot } from '../loop/shutdown.ts';
import { prepareObservation } from '../loop/store-blobs.ts';
import { noteForgottenBranch } from './note-forgotten.ts';

/** How far a record was read since the server started. */
export interface RecordProgress {
  position: RecordPosition;
  /** The line after which the agent would continue, once one was seen. */
  tip: string | undefined;
  /** The agent's own time of the last line that had one. */
  lastAt: string | undefined;
  /** Another branch was taken, and nothing of it has been shown yet. */
  isSwitching: boolean;
  /** The agent may continue on another branch than the one that is shown. */
  isOtherBranch: boolean;
}

type ExternalEvent = EventBody & { readonly at: string };

/** A conversation's record has new lines: our session that has it merges what another program did. */
export function recordGrown(context: EngineContext, agent: AgentId, agentSessionId: string): void {
  const sessions = [...context.sessions.values()].filter(({ state }) => !state.deleted && state.born?.agent === agent);
  const current = sessions.filter(({ state }) => conversationOf(state) === agentSessionId);
  const candidates =
    current.length > 0
      ? current
      : sessions.filter(({ state }) => state.minds.some((conversation) => conversation.id === agentSessionId && conversation.copyOf === undefined));
  const [newest] = candidates.sort((a, b) => b.state.updatedAt.localeCompare(a.state.updatedAt));
  newest?.mergeSoon(agentSessionId);
}

/** Merges what the record has and the session lacks, compared by the agent's own ids; only while `mayContinue`, and never twice. */
export async function mergeRecord(session: SessionActor, agentSessionId: string, mayContinue: () => boolean): Promise<void> {
  const { past } = session.context.deps;
  const agent = session.state.born?.agent;
  const isFree = () => !session.context.closing && !session.state.deleted && mayContinue();
  if (past === undefined || agent === undefined || !isFree()) return;
  const progress = session.recordProgressOf(agentSessionId);
  for await (const batch of past.lines(agent, agentSessionId, progress.position)) {
    const known = await session.context.lines.of(session, agentSessionId);
    if (!isFree()) return;
    mergeBatch(session, batch, known, progress);
  }
  if (isFree()) storePosition(session, progress.position);
  if (progress.isOtherBranch) await noteForgottenBranch(session, agentSessionId);
  progress.isOtherBranch = false;
}

/** One transaction: the position in the record changes only if the events are stored. */
function mergeBatch(session: SessionActor, batch: RecordBatch, known: KnownLines, progress: RecordProgress): void {
  const now = { ...progress, position: batch.position };
  const seen = new Set<string>();
  const isKnown = (one: RecordLine, keys: readonly string[]) =>
    keys.some((key) => seen.has(key)) || known.has({ ...one.line, file: one.file, byte: one.byte, at: now.lastAt });
  const added: Added[] = [];
  const lent = lentIn(session.state);
  const lentItem = lent && session.adapter.inputId(lent.commandId);
  for (const one of batch.lines) {
    const keys = one.line.observations.flatMap(keysOf);
    now.lastAt = timeOf(one) ?? now.lastAt;
    if (lent !== undefined && one.line.observations.some(({ itemId }) => itemId === lentItem)) added.push(lent);
    if (!isKnown(one, keys)) added.push(...newEvents(session, one, now));
    for (const key of keys) seen.add(key);
    if (one.part === undefined) now.tip = one.line.node?.id ?? now.tip;
  }
  if (added.length > 0) session.note((draft) => appendAll(draft, added));
  Object.assign(progress, now);
}

/** The events of a new line. A notice comes before the first event of another branch. */
function newEvents(session: SessionActor, one: RecordLine, now: RecordProgress): readonly ExternalEvent[] {
  const leaving = leavesBranch(one, now.tip);
  now.isOtherBranch ||= leaving !== 'no';
  now.isSwitching ||= leaving === 'yes';
  const events = eventsOf(session, one, now.lastAt);
  const [first] = events;
  if (first === undefined || !now.isSwitching) return events;
  now.isSwitching = false;
  return [branchNotice(one, first.at), ...events];
}

/** An event of the other program, or a message of ours that its record has. */
type Added = ExternalEvent | Input;

function appendAll(draft: Draft, added: readonly Added[]): void {
  for (const one of added) {
    if ('type' in one) draft.importExternal(one);
    else if (isLent(draft.state.queue.find(({ commandId }) => commandId === one.commandId))) arrived(draft, one);
  }
}

/** Whether a line continues from somewhere other than the last line; unknown after a restart. */
function leavesBranch({ part, line: { node } }: RecordLine, tip: string | undefined): 'yes' | 'no' | 'perhaps' {
  if (part !== undefined || node === undefined || node.joins === true || node.parent === tip) return 'no';
  return tip === undefined ? 'perhaps' : 'yes';
}

const branchNotice = ({ file, byte }: RecordLine, at: string): ExternalEvent => ({
  type: 'notice.shown',
  level: 'warning',
  text: 'Another program continued this conversation from an earlier message. The agent no longer knows what was said after that message.',
  at,
  src: { file, byte },
});

function timeOf({ line }: RecordLine): string | undefined {
  return line.observations.find((one) => one.agentAt !== undefined)?.agentAt ?? line.spent?.at ?? line.facts?.lastAt;
}

function eventsOf(session: SessionActor, { file, byte, line }: RecordLine, lastAt: string | undefined): readonly ExternalEvent[] {
  const { journal, now } = session.context.deps;
  const fallback = lastAt ?? now().toISOString();
  const src = { file, byte };
  const shownEvents = line.observations.filter((one) => isShownType(one.type)).map((one) => ({ ...shown(prepareObservation(journal, one), fallback), src }));
  const { at, ...spent } = line.spent ?? {};
  return 'usage' in spent ? [...shownEvents, { type: 'usage.reported', ...spent, at: at ?? fallback, src }] : shownEvents;
}

function shown(observation: KeptObservation, fallback: string): ExternalEvent {
  const { agentAt, rawImages: _, outputFile: _file, ...body } = observation;
  // TypeScript can't follow a spread over the union.
  return { ...body, at: agentAt ?? fallback, ...(agentAt === undefined && { atKnown: false }) } as ExternalEvent;
}

/** At most this much is read again after a restart when it contains nothing new. */
const READ_AGAIN_BYTES = 64 * 1024;

/** Stored in the snapshot, not as an event: losing it only costs reading again, and lines that are read again are known. */
function storePosition(session: SessionActor, position: RecordPosition): void {
  const { merged } = session.state;
  if (!Object.entries(position).some(([file, byte]) => Math.abs(byte - (merged[file] ?? 0)) >= READ_AGAIN_BYTES)) return;
  session.state = { ...session.state, merged: { ...merged, ...position } };
  storeSnapshot(session);
}
