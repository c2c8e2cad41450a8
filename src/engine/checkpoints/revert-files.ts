import { type Checkpoint, checkpointAt, stepsAfter } from '../../domain/checkpoint/log.ts';
import { type Plan, type PlannedFile, planRevert } from '../../domain/checkpoint/plan.ts';
import { finishRevert, isWorking, type RevertGround, refusedRevert } from '../../domain/session/revert.ts';
import type { SessionState } from '../../domain/session/state.ts';
import { type Comparison, isSkipped, type Skipped } from '../../git/checkpoints.ts';
import type { RevertPreview } from '../../protocol/api/checkpoints.ts';
import type { Refusal, RevertTo } from '../../protocol/command.ts';
import type { EventOf } from '../../protocol/event.ts';
import type { CheckpointId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { neighborsOf, takeNow } from './take-checkpoint.ts';

/** Safe to retry: each file is compared before it is written. */
export const RESTORE_FILES = 'restore files';

/** What the decision about a revert needs to know. */
export function revertGround(session: SessionActor, to: number): RevertGround {
  const { id, base } = session.state;
  const busy = neighborsOf(session).find((other) => isWorking(other.state));
  return {
    checkpointId: checkpointAt(session.context.checkpointWork.log(id, base), to)?.id,
    ...(busy !== undefined && { busy: nameOf(busy) }),
  };
}

/** A private session's name says something about it. */
const nameOf = ({ state }: SessionActor): string =>
  state.meta.closed ? 'Another session' : `The session “${state.meta.title ?? state.meta.firstPrompt ?? state.id}”`;

/** What a revert would do. Reads the folder and changes nothing in it. */
export async function previewRevert(session: SessionActor, wanted: RevertTo): Promise<RevertPreview | Refusal> {
  const { context } = session;
  // Right after a turn, its checkpoint is still being made; without it, the turn's files would look like somebody else's.
  if (session.state.afterDue !== undefined) {
    await session.drain();
    await context.checkpointWork.idle();
  }
  const { state } = session;
  const ground = revertGround(session, wanted.to);
  const refusal = refusedRevert(state, ground, !context.diskLow);
  if (refusal !== undefined) return refusal;
  const target = find(session, ground.checkpointId);
  if (target === undefined) return { refused: 'not-found', message: `There is no checkpoint at or before event ${wanted.to} of this session.` };
  const store = await context.checkpointWork.checkpoints();
  const compared = await store.compare(folderOf(state), target.commit);
  if (isSkipped(compared)) return cannotCompare(compared);
  return described(session, target, await plan(session, target, compared, wanted), wanted);
}

const cannotCompare = ({ skipped }: Skipped): Refusal => ({ refused: 'conflict', message: `Files can’t be compared with the checkpoint: ${skipped}.` });

const find = (session: SessionActor, id: CheckpointId | undefined): Checkpoint | undefined =>
  session.context.checkpointWork.log(session.state.id, session.state.base).checkpoints.find((checkpoint) => checkpoint.id === id);

const folderOf = (state: SessionState): string => state.born?.cwd ?? '';

interface Selection {
  readonly paths?: readonly string[] | undefined;
  readonly force?: readonly string[] | undefined;
}

async function plan(session: SessionActor, target: Checkpoint, compared: Comparison, { paths, force = [] }: Selection): Promise<Plan> {
  const { context, state } = session;
  const store = await context.checkpointWork.checkpoints();
  const steps = stepsAfter(context.checkpointWork.log(state.id, state.base), target);
  const known = await store.steps(
    folderOf(state),
    steps.map(({ from, to }) => [from, to]),
  );
  return planRevert({
    ...compared,
    steps: steps.map(({ shared, only }, at) => ({ differences: known[at], shared, ...(only !== undefined && { only }) })),
    isLate: target.late,
    paths,
    force,
  });
}

function described(session: SessionActor, target: Checkpoint, { files, others }: Plan, { paths = [] }: Pick<RevertTo, 'paths'>): RevertPreview {
  const shown = ({ difference: _, ...file }: PlannedFile) => file;
  const known = new Set(files.map(({ path }) => path));
  // Who may know about a private one is decided where the answer is given.
  const shared = neighborsOf(session);
  const isShared = target.shared || checkpointsSince(session, target).some((one) => one.shared);
  return {
    dryRun: true,
    to: target.seq,
    checkpointId: target.id,
    at: target.at,
    when: target.when,
    ...(target.late && { late: true }),
    ...(isShared && { shared: true, sharedWith: shared.map(({ state }) => state.id) }),
    files: files.slice(0, LIMITS.treeFiles).map(shown),
    ...(files.length > LIMITS.treeFiles && { filesMore: files.length - LIMITS.treeFiles }),
    others: others.slice(0, LIMITS.checkpointFiles).map(shown),
    ...(others.length > LIMITS.checkpointFiles && { othersMore: others.length - LIMITS.checkpointFiles }),
    unchanged: paths.filter((path) => !known.has(path)),
    left: [...target.left],
  };
}

const checkpointsSince = (session: SessionActor, target: Checkpoint): readonly Checkpoint[] =>
  session.context.checkpointWork.log(session.state.id, session.state.base).checkpoints.filter(({ seq }) => seq > target.seq);

/** Performs the requested revert, also one that a killed server left unfinished: the first thing it did was to keep the files as they were. */
export async function performRevert(session: SessionActor): Promise<void> {
  const { context } = session;
  const { reverting } = session.state;
  if (reverting === undefined || context.closing) return;
  const { commandId, checkpointId } = reverting;
  const outcome = await revertFiles(session, reverting);
  if (outcome === 'stopped' || context.closing) return;
  session.note((draft) => finishRevert(draft, { commandId, checkpointId, ...outcome }));
  await context.deps.journal.sync();
}

type Outcome = Pick<EventOf<'revert.done'>, 'undo' | 'files' | 'problem'>;

async function revertFiles(session: SessionActor, reverting: NonNullable<SessionState['reverting']>): Promise<Outcome | 'stopped'> {
  const { context, state } = session;
  const target = find(session, reverting.checkpointId);
  if (target === undefined) return { files: [], problem: 'the checkpoint is no longer there' };
  const undo = await undoFor(session, reverting.commandId);
  if (context.closing) return 'stopped';
  if (isSkipped(undo)) return { files: [], problem: `the files as they are now could not be kept first: ${undo.skipped}` };
  const store = await context.checkpointWork.checkpoints();
  const compared = await store.compare(folderOf(state), target.commit, undo.commit);
  if (isSkipped(compared)) return { files: [], problem: compared.skipped };
  const planned = await plan(session, target, compared, reverting);
  const chosen = planned.files.filter(({ selected }) => selected);
  if (chosen.length > LIMITS.revertFiles) return { files: [], problem: `more than ${LIMITS.revertFiles} files would change. Choose some of them` };
  if (chosen.length === 0) return { files: unchangedFiles(reverting.paths, planned), problem: nothingChosen(target, planned) };
  const refused = chosen.flatMap(({ path, refused: why }) => (why === undefined ? [] : [{ path, result: 'refused' as const, why }]));
  const writes = chosen.flatMap(({ refused: why, difference }) =>
    why === undefined ? [{ path: difference.path, now: difference.new, target: difference.old }] : [],
  );
  const written = await store.write(folderOf(state), writes, () => context.closing);
  if (isSkipped(written)) return context.closing ? 'stopped' : { files: [], problem: written.skipped };
  if (context.closing) return 'stopped';
  return { undo: undo.checkpointId, files: [...written, ...refused, ...unchangedFiles(reverting.paths, planned)] };
}

function unchangedFiles(paths: readonly string[] = [], { files }: Plan): Outcome['files'] {
  const known = new Set(files.map(({ path }) => path));
  return paths.filter((path) => !known.has(path)).map((path) => ({ path, result: 'refused', why: 'It is already as it was then.' }));
}

function nothingChosen(target: Checkpoint, { files }: Plan): string {
  if (files.length === 0) return 'nothing that this session changed differs from then';
  return target.late ? 'this checkpoint was made after a tool had started. Choose the files' : 'another session worked in this folder too. Choose the files';
}

/** Made once for each revert, however often it is repeated. */
async function undoFor(session: SessionActor, commandId: NonNullable<SessionState['reverting']>['commandId']) {
  const { id, base } = session.state;
  const made = session.context.checkpointWork.log(id, base).checkpoints.find((one) => one.when === 'revert' && one.commandId === commandId);
  return made === undefined ? takeNow(session, 'revert', { commandId }) : { checkpointId: made.id, commit: made.commit };
}
