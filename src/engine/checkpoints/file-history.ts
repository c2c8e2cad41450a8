import { aroundTurn, type Checkpoint, type CheckpointLog, type TurnEntry } from '../../domain/checkpoint/log.ts';
import type { SessionId, TurnId } from '../../protocol/ids.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** A file in the checkpoints of one folder. */
export interface FileHistory {
  /** The file at these times, oldest first. */
  readonly versions: readonly { readonly at: number; readonly text: string }[];
  readonly turns: readonly FileTurn[];
}

/** A turn between its checkpoints; without an end it still runs. */
export interface FileTurn {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly seq: number;
  readonly from: number;
  readonly to: number | undefined;
}

const NOTHING: FileHistory = { versions: [], turns: [] };

/** What checkpoints of this folder know about a file, under the first of these names that is there. Sessions in which it never changed are left out. */
export async function fileHistory(inFolder: readonly SessionActor[], folder: string, names: readonly string[]): Promise<FileHistory> {
  const work = inFolder[0]?.context.checkpointWork;
  if (work === undefined || !work.isAvailable) return NOTHING;
  const store = await work.checkpoints();
  const oids = new Map<string, Map<string, string>>();
  for (const { session, checkpointId, oid = '' } of await store.versions(folder, names))
    oids.set(session, (oids.get(session) ?? new Map<string, string>()).set(checkpointId, oid));
  const changed = inFolder.filter(({ state }) => !state.deleted && new Set(oids.get(state.id)?.values()).size > 1);
  const texts = await store.texts(folder, [...new Set(changed.flatMap(({ state }) => [...(oids.get(state.id)?.values() ?? [])]))].filter(Boolean));
  const versions: { at: number; text: string }[] = [];
  const turns: FileTurn[] = [];
  for (const session of changed) {
    const log = work.log(session.state.id, session.state.base);
    for (const checkpoint of log.checkpoints) {
      const oid = oids.get(session.state.id)?.get(checkpoint.id);
      const text = oid === '' ? '' : texts.get(oid ?? '-');
      // One that was made long after its turn may hold what somebody else did since.
      if (text !== undefined && !(checkpoint.when === 'after' && checkpoint.late)) versions.push({ at: timeOf(checkpoint, log), text });
    }
    turns.push(...turnsOf(session, log));
  }
  return { versions: versions.sort((a, b) => a.at - b.at), turns };
}

/** A checkpoint before a turn is stored beside the turn, so its event can come after what the turn did. */
function timeOf({ at, when, turnId, commandId }: Checkpoint, { turns }: CheckpointLog): number {
  const isOf = (turn: TurnEntry): boolean => turn.turnId === turnId || (commandId !== undefined && turn.commandId === commandId);
  const turn = when === 'before' ? turns.find(isOf) : undefined;
  return Math.min(Date.parse(at), turn === undefined ? Number.POSITIVE_INFINITY : Date.parse(turn.at));
}

function turnsOf({ state }: SessionActor, log: CheckpointLog): readonly FileTurn[] {
  return log.turns.flatMap(({ turnId, seq, commandId }): readonly FileTurn[] => {
    const around = aroundTurn(log, turnId);
    const known = { sessionId: state.id, turnId, seq };
    if (around !== undefined) return [{ ...known, from: timeOf(around.before, log), to: timeOf(around.after, log) }];
    const before = log.checkpoints.findLast(
      (one) => one.when === 'before' && (one.turnId === turnId || (commandId !== undefined && one.commandId === commandId)),
    );
    const isRunning = state.turn.phase === 'running' && state.turn.turnId === turnId;
    return isRunning && before !== undefined ? [{ ...known, from: timeOf(before, log), to: undefined }] : [];
  });
}
