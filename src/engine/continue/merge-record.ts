import type { RecordBatch, RecordLine, RecordPlace } from '../../archive/past-sessions-port.ts';
import type { Draft } from '../../domain/session/draft.ts';
import { conversationOf } from '../../domain/session/driver.ts';
import { isShownType } from '../../domain/session/inherit.ts';
import { type KnownLines, keysOf } from '../../domain/session/known-lines.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { AgentId } from '../../protocol/ids.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import type { World } from '../engine-context.ts';
import type { SessionBox } from '../loop/session-actor.ts';
import { prepareObservation } from '../loop/store-blobs.ts';
import { keepSnapshot } from '../shutdown.ts';
import { noteOtherWay } from './forgotten-events.ts';

/** How far a record was followed in this life of the server. */
export interface Following {
  place: RecordPlace;
  /** The line with which the agent would go on, once one was seen. */
  tip: string | undefined;
  /** The agent's own time of the last line that had one. */
  lastAt: string | undefined;
  /** Another way was taken, and nothing of it has been shown yet. */
  isTurning: boolean;
  /** The agent may go on by another way than the one that is shown. */
  isOtherWay: boolean;
}

type Elsewhere = EventBody & { readonly at: string };

/** The record of a conversation has new lines: the session of ours that has it takes in what another program did. */
export function recordGrown(world: World, agent: AgentId, agentSessionId: string): void {
  const boxes = [...world.boxes.values()].filter(({ state }) => !state.deleted && state.born?.agent === agent);
  const having = boxes.filter(({ state }) => conversationOf(state) === agentSessionId);
  const had = having.length > 0 ? having : boxes.filter(({ state }) => state.minds.some((mind) => mind.id === agentSessionId && mind.copyOf === undefined));
  const [newest] = had.sort((a, b) => b.state.updatedAt.localeCompare(a.state.updatedAt));
  newest?.mergeSoon(agentSessionId);
}

/** Takes in what the record has and the session does not, by the agent's own ids; while `mayGoOn`, and never twice. */
export async function mergeRecord(box: SessionBox, agentSessionId: string, mayGoOn: () => boolean): Promise<void> {
  const { past } = box.world.deps;
  const agent = box.state.born?.agent;
  const isFree = () => !box.world.closing && !box.state.deleted && mayGoOn();
  if (past === undefined || agent === undefined || !isFree()) return;
  const following = box.followingOf(agentSessionId);
  for await (const batch of past.lines(agent, agentSessionId, following.place)) {
    const known = await box.world.lines.of(box, agentSessionId);
    if (!isFree()) return;
    takeIn(box, batch, known, following);
  }
  if (isFree()) keepPlace(box, following.place);
  if (following.isOtherWay) await noteOtherWay(box, agentSessionId);
  following.isOtherWay = false;
}

/** One transaction; how far the record was followed changes only when it is kept. */
function takeIn(box: SessionBox, batch: RecordBatch, known: KnownLines, following: Following): void {
  const now = { ...following, place: batch.place };
  const taken = new Set<string>();
  const isKnown = (one: RecordLine, keys: readonly string[]) =>
    keys.some((key) => taken.has(key)) || known.has({ ...one.line, file: one.file, byte: one.byte, at: now.lastAt });
  const news: Elsewhere[] = [];
  for (const one of batch.lines) {
    const keys = one.line.observations.flatMap(keysOf);
    now.lastAt = timeOf(one) ?? now.lastAt;
    if (!isKnown(one, keys)) news.push(...newsOf(box, one, now));
    for (const key of keys) taken.add(key);
    if (one.part === undefined) now.tip = one.line.node?.id ?? now.tip;
  }
  if (news.length > 0) box.note((draft) => hearAll(draft, news));
  Object.assign(following, now);
}

/** What a new line tells; before the first words of another way it is said that it is one. */
function newsOf(box: SessionBox, one: RecordLine, now: Following): readonly Elsewhere[] {
  const turns = leaves(one, now.tip);
  now.isOtherWay ||= turns !== 'no';
  now.isTurning ||= turns === 'yes';
  const events = eventsOf(box, one, now.lastAt);
  const [first] = events;
  if (first === undefined || !now.isTurning) return events;
  now.isTurning = false;
  return [otherWay(one, first.at), ...events];
}

function hearAll(draft: Draft, news: readonly Elsewhere[]): void {
  for (const event of news) draft.hearElsewhere(event);
}

/** Whether a line goes on from somewhere else than the last one; after a restart that is not known. */
function leaves({ part, line: { node } }: RecordLine, tip: string | undefined): 'yes' | 'no' | 'perhaps' {
  if (part !== undefined || node === undefined || node.joins === true || node.parent === tip) return 'no';
  return tip === undefined ? 'perhaps' : 'yes';
}

const otherWay = ({ file, byte }: RecordLine, at: string): Elsewhere => ({
  type: 'notice.shown',
  level: 'warning',
  text: 'In another program this conversation was gone on with from an earlier message. What was said after that message is no longer known to the agent.',
  at,
  src: { file, byte },
});

function timeOf({ line }: RecordLine): string | undefined {
  return line.observations.find((one) => one.agentAt !== undefined)?.agentAt ?? line.spent?.at ?? line.facts?.lastAt;
}

function eventsOf(box: SessionBox, { file, byte, line }: RecordLine, lastAt: string | undefined): readonly Elsewhere[] {
  const { journal, now } = box.world.deps;
  const fallback = lastAt ?? now().toISOString();
  const src = { file, byte };
  const told = line.observations.filter((one) => isShownType(one.type)).map((one) => ({ ...shown(prepareObservation(journal, one), fallback), src }));
  const { at, ...spent } = line.spent ?? {};
  return 'usage' in spent ? [...told, { type: 'usage.reported', ...spent, at: at ?? fallback, src }] : told;
}

function shown(observation: KeptObservation, fallback: string): Elsewhere {
  const { agentAt, rawImages: _, ...body } = observation;
  // The compiler cannot follow a spread over the union.
  return { ...body, at: agentAt ?? fallback, ...(agentAt === undefined && { atKnown: false }) } as Elsewhere;
}

/** So much is read again after a restart, at the most, of what told nothing new. */
const READ_AGAIN_BYTES = 64 * 1024;

/** Kept beside the state, not as an event: to lose it costs a reading, and what is read again is known. */
function keepPlace(box: SessionBox, place: RecordPlace): void {
  const { merged } = box.state;
  if (!Object.entries(place).some(([file, byte]) => Math.abs(byte - (merged[file] ?? 0)) >= READ_AGAIN_BYTES)) return;
  box.state = { ...box.state, merged: { ...merged, ...place } };
  keepSnapshot(box);
}
