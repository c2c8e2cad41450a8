import { type Moment, momentsIn } from '../../domain/checkpoint/when.ts';
import { isWorking } from '../../domain/session/revert.ts';
import { isInside } from '../../folders/system-folders.ts';
import { type Checkpoints, isSkipped, type Skipped, type Taken } from '../../git/checkpoints.ts';
import type { CheckpointWhen, Event, EventBodyOf } from '../../protocol/event.ts';
import type { CheckpointId, CommandId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { makeSpace } from './make-space.ts';
import { decideReviews, waitsForFiles } from './review-files.ts';

/** Keeps the files around each turn. Runs beside the turn and never delays it. */
export function takeCheckpoints(session: SessionActor, events: readonly Event[], wasRunning: boolean): void {
  const { checkpointWork } = session.context;
  if (!checkpointWork.isAvailable || session.state.deleted) return;
  for (const moment of momentsIn(events, wasRunning)) {
    // Queued behind the message itself, so that the agent gets it first.
    session.work(async () => startCheckpoint(session, moment));
  }
}

/** A server was stopped between the end of a turn and its checkpoint. Somebody may have edited files since, so it counts as late. */
export function resumeCheckpoint(session: SessionActor): void {
  const { afterDue, deleted } = session.state;
  if (deleted) return;
  if (session.context.checkpointWork.isAvailable && afterDue !== undefined) startCheckpoint(session, { when: 'after', ...afterDue }, true);
  else if (waitsForFiles(session)) session.context.checkpointWork.start(() => decideReviews(session), logFailure(session));
}

function startCheckpoint(session: SessionActor, moment: Moment, isLate = false): void {
  const { context } = session;
  context.checkpointWork.start(async () => {
    const made = await take(session, moment.when);
    if (made === undefined || context.closing || !isKnown(session)) return;
    note(session, made, moment, isLate);
    if (moment.when === 'after') await decideReviews(session);
    if (!isSkipped(made.taken)) await makeSpace(context, session);
  }, logFailure(session));
}

const logFailure =
  ({ context, state }: SessionActor) =>
  (error: unknown): void =>
    context.deps.log.error({ error, session: state.id }, 'a checkpoint failed');

const isKnown = (session: SessionActor): boolean => session.context.sessions.get(session.state.id) === session && !session.state.deleted;

interface Made {
  readonly id: CheckpointId;
  readonly taken: Taken | Skipped;
  readonly isShared: boolean;
  /** The last event with which a tool had started when the files had been read. */
  readonly toolSeq: number;
}

async function take(
  session: SessionActor,
  when: CheckpointWhen,
  { include, folder = session.state.born?.cwd }: { readonly include?: readonly string[] | undefined; readonly folder?: string | undefined } = {},
): Promise<Made | undefined> {
  const { context, state } = session;
  if (folder === undefined || context.closing) return undefined;
  const id = context.deps.newId() as CheckpointId;
  if (context.diskLow) return { id, taken: { skipped: 'the disk is nearly full' }, isShared: false, toolSeq: 0 };
  const isOrdinary = when === 'before' || when === 'after';
  const { isFull } = context.checkpointWork;
  if (isOrdinary && isFull !== undefined) {
    await makeSpace(context, session);
    if (context.checkpointWork.isFull !== undefined) return { id, taken: { skipped: isFull }, isShared: false, toolSeq: 0 };
  }
  const store = await tidied(context);
  const last = context.checkpointWork.log(state.id, state.base).checkpoints.at(-1);
  let toolSeq = 0;
  const onRead = (): void => {
    toolSeq = session.state.toolSeq ?? 0;
  };
  const taken = await store.take({ folder, session: state.id, checkpointId: id, when, since: last?.commit, include, onRead });
  if (isSkipped(taken)) context.checkpointWork.tidied = undefined;
  return { id, taken, toolSeq, isShared: neighborsOf(session).some((other) => isWorking(other.state) || other.state.updatedAt > (last?.at ?? '')) };
}

/** Refs without an event are deleted before anything else happens here. */
async function tidied(context: EngineContext): Promise<Checkpoints> {
  const work = context.checkpointWork;
  const store = await work.checkpoints();
  work.tidied ??= store.removeUnknown((session, checkpoint) => {
    const known = context.sessions.get(session as SessionActor['state']['id']);
    return known !== undefined && !known.state.deleted && work.log(known.state.id, known.state.base).checkpoints.some(({ id }) => id === checkpoint);
  });
  await work.tidied.catch((error: unknown) => {
    work.tidied = undefined;
    context.deps.log.warn({ error }, 'leftover checkpoints could not be removed');
  });
  return store;
}

/** Other sessions whose folder overlaps this one's. */
export function neighborsOf(session: SessionActor): readonly SessionActor[] {
  const folder = session.state.born?.cwd;
  if (folder === undefined) return [];
  return [...session.context.sessions.values()].filter((other) => {
    const cwd = other.state.born?.cwd;
    return other !== session && !other.state.deleted && cwd !== undefined && (isInside(cwd, folder) || isInside(folder, cwd));
  });
}

function note(session: SessionActor, made: Made, moment: Moment, isLate: boolean): void {
  const { taken } = made;
  if (isSkipped(taken)) return noteSkipped(session, taken);
  const late = isLate || made.toolSeq > moment.seq;
  const turn = session.state.turn.phase === 'running' && session.state.turn.commandId === moment.commandId ? session.state.turn.turnId : undefined;
  const turnId = moment.turnId ?? turn;
  session.note((draft) => {
    draft.emit({
      ...madeEvent(made, taken, moment.when, moment.commandId),
      ...(turnId !== undefined && { turnId }),
      ...(late && { late }),
      ...(made.isShared && { shared: true }),
    });
    if (taken.off !== undefined) draft.emit({ type: 'checkpoint.skipped', reason: taken.off, off: true });
  });
}

/** The same reason is said once. */
function noteSkipped(session: SessionActor, { skipped, off }: Skipped): void {
  if (session.state.noCheckpoints === skipped && session.state.afterDue === undefined) return;
  session.note((draft) => draft.emit({ type: 'checkpoint.skipped', reason: skipped, ...(off === true && { off }) }));
}

function madeEvent({ id }: Made, { commit, changed, left }: Taken, when: CheckpointWhen, commandId: CommandId | undefined): EventBodyOf<'checkpoint.made'> {
  const most = LIMITS.checkpointFiles;
  return {
    type: 'checkpoint.made',
    checkpointId: id,
    commit,
    when,
    ...(commandId !== undefined && { commandId }),
    changed: changed.slice(0, most),
    ...(changed.length > most && { changedMore: changed.length - most }),
    left: left.slice(0, most),
    ...(left.length > most && { leftMore: left.length - most }),
  };
}

/** Takes a checkpoint for something that is about to happen, and returns it once it is durable; or why there is none. */
export async function takeNow(
  session: SessionActor,
  when: 'revert' | 'discard' | 'remove',
  /** `folder`: another one than the session's own. */
  options: { readonly commandId?: CommandId | undefined; readonly include?: readonly string[] | undefined; readonly folder?: string | undefined } = {},
): Promise<{ readonly checkpointId: CheckpointId; readonly commit: string } | Skipped> {
  const { context } = session;
  if (!context.checkpointWork.isAvailable) return { skipped: 'checkpoints are not available' };
  const made = await take(session, when, options);
  if (made === undefined || context.closing) return { skipped: 'Signalbox is shutting down' };
  const { taken } = made;
  if (isSkipped(taken)) return taken;
  session.note((draft) => draft.emit({ ...madeEvent(made, taken, when, options.commandId), ...(made.isShared && { shared: true }) }));
  await context.deps.journal.sync();
  return { checkpointId: made.id, commit: taken.commit };
}
