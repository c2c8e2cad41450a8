import { aroundTurn, type Checkpoint, type CheckpointLog } from '../../domain/checkpoint/log.ts';
import { isSkipped } from '../../git/checkpoints.ts';
import type { CheckpointInfo, CheckpointList, TurnChanges, TurnDiff } from '../../protocol/api/checkpoints.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { SessionId, TurnId } from '../../protocol/ids.ts';
import type { Engine } from '../engine.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { fileHistory } from './file-history.ts';
import { previewRevert } from './revert-files.ts';
import { takeNow } from './take-checkpoint.ts';

type CheckpointVerbs = Pick<Engine, 'checkpoints' | 'fileHistory' | 'previewRevert' | 'turnDiff' | 'takeCheckpoint'>;

/** The part of the engine that is about checkpoints. */
export const checkpointEngine = (find: (id: SessionId) => SessionActor | undefined, all: () => readonly SessionActor[]): CheckpointVerbs => ({
  fileHistory: (folder, names) =>
    fileHistory(
      all().filter(({ state }) => state.born?.cwd === folder),
      folder,
      names,
    ),
  checkpoints: async (id) => {
    const session = find(id);
    return session === undefined ? undefined : listCheckpoints(session);
  },
  previewRevert: async (id, wanted) => withStore(find(id), id, (session) => previewRevert(session, wanted)),
  turnDiff: async (id, turnId, path) => withStore(find(id), id, (session) => turnDiff(session, turnId, path)),
  takeCheckpoint: async (id, when, options) =>
    withStore(find(id), id, async (session) => {
      const taken = await takeNow(session, when, options);
      return isSkipped(taken) ? { refused: 'conflict', message: `The files could not be kept first: ${taken.skipped}.` } : { checkpointId: taken.checkpointId };
    }),
});

function withStore<T>(session: SessionActor | undefined, id: SessionId, work: (session: SessionActor) => Promise<T | Refusal>): Promise<T | Refusal> | Refusal {
  if (session === undefined) return { refused: 'not-found', message: `There is no session ${id}.` };
  return session.context.checkpointWork.isAvailable ? work(session) : { refused: 'not-supported', message: 'This server makes no checkpoints.' };
}

/** Checkpoints of a session, and what each of its turns changed. */
export async function listCheckpoints(session: SessionActor): Promise<CheckpointList> {
  const { context, state } = session;
  const log = context.checkpointWork.log(state.id, state.base);
  const off =
    context.checkpointWork.isAvailable && state.born !== null ? await (await context.checkpointWork.checkpoints()).offReason(state.born.cwd) : undefined;
  const seqs = new Map(log.checkpoints.map(({ id, seq }) => [id, seq]));
  const skipped = off === undefined ? log.skipped : { reason: off, off: true };
  return {
    checkpoints: log.checkpoints.map(infoOf),
    turns: log.turns.map((turn) => turnOf(log, turn)),
    reverts: log.reverts.map(({ commandId, seq, at, undo, files }) => {
      const refused = files.filter(({ result }) => result === 'refused').length;
      const back = undo === undefined ? undefined : seqs.get(undo);
      return { commandId, seq, at, files: files.length - refused, refused, ...(back !== undefined && { undo: back }) };
    }),
    ...(skipped !== undefined && { skipped }),
  };
}

const infoOf = ({ id, late, shared, changedMore, commit: _, commandId, turnId, changed, left, ...rest }: Checkpoint): CheckpointInfo => ({
  checkpointId: id,
  ...rest,
  changed: [...changed],
  left: [...left],
  ...(commandId !== undefined && { commandId }),
  ...(turnId !== undefined && { turnId }),
  ...(late && { late }),
  ...(shared && { shared }),
  ...(changedMore > 0 && { changedMore }),
});

function turnOf(log: CheckpointLog, { turnId, seq, at, text }: CheckpointLog['turns'][number]): TurnChanges {
  const around = aroundTurn(log, turnId);
  const isLate = around?.before.late === true || around?.after.late === true;
  return {
    turnId,
    seq,
    at,
    ...(text !== undefined && { text }),
    ...(around !== undefined && { to: around.before.seq }),
    files: [...(around?.after.changed ?? [])],
    ...(around !== undefined && around.after.changedMore > 0 && { filesMore: around.after.changedMore }),
    ...(isLate && { late: true }),
    ...(around?.after.shared === true && { shared: true }),
  };
}

/** What one turn did to one file, whichever tool or command did it. */
export async function turnDiff(session: SessionActor, turnId: TurnId, path: string): Promise<TurnDiff | Refusal> {
  const { context, state } = session;
  const around = aroundTurn(context.checkpointWork.log(state.id, state.base), turnId);
  if (around === undefined || state.born === null) return { refused: 'not-found', message: 'There are no checkpoints around this turn.' };
  const store = await context.checkpointWork.checkpoints();
  return store.patch(state.born.cwd, around.before.commit, around.after.commit, path);
}
