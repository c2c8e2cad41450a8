import { canBeEdited, noteFileEdits } from '../../domain/annotation/evidence.ts';
import { type FileEdit, isEditOf } from '../../domain/annotation/file-edit.ts';
import { shownPath } from '../../domain/changes/path.ts';
import { aroundTurn, type Checkpoint } from '../../domain/checkpoint/log.ts';
import type { Checkpoints } from '../../git/checkpoints.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** Reviews whose turn has ended, and whose checkpoint has not been looked at. */
export const waitsForFiles = ({ state }: SessionActor): boolean => state.annotations?.reviews.some(({ due }) => due?.ends === true) ?? false;

/** Looks at the checkpoints around a turn: what changed commented lines without a tool that reports edits answers those comments. */
export async function decideReviews(session: SessionActor): Promise<void> {
  const turns = new Set(session.state.annotations?.reviews.flatMap(({ due }) => (due === undefined ? [] : [due.turnId])));
  for (const turnId of turns) {
    const edits = await editsOf(session, turnId);
    if (session.context.closing || session.state.deleted) return;
    session.noteIfAny((draft) =>
      noteFileEdits(draft, turnId, (item) => {
        const edit = edits.get(item.place?.file ?? '');
        return edit !== undefined && isEditOf(item, edit);
      }),
    );
  }
}

/** The commented files that this turn changed. Another session in the same folder may have been the one, so a shared checkpoint proves nothing. */
async function editsOf({ context, state }: SessionActor, turnId: TurnId): Promise<ReadonlyMap<string, FileEdit>> {
  const edits = new Map<string, FileEdit>();
  const work = context.checkpointWork;
  const folder = state.born?.cwd;
  const around = folder === undefined || !work.isAvailable ? undefined : aroundTurn(work.log(state.id, state.base), turnId);
  if (folder === undefined || around === undefined || around.after.shared) return edits;
  const items = state.annotations?.reviews.filter(({ due }) => due?.turnId === turnId).flatMap((review) => review.items) ?? [];
  const store = await work.checkpoints();
  for (const file of new Set(items.filter(canBeEdited).flatMap(({ place }) => place?.file ?? []))) {
    const edit = await editOf(store, folder, around, shownPath(folder, file));
    if (edit !== undefined) edits.set(file, edit);
  }
  return edits;
}

async function editOf(
  store: Checkpoints,
  folder: string,
  { before, after }: { readonly before: Checkpoint; readonly after: Checkpoint },
  path: string,
): Promise<FileEdit | undefined> {
  if (path.startsWith('/') || (after.changedMore === 0 && !after.changed.some((one) => one.path === path))) return undefined;
  const { patch } = await store.patch(folder, before.commit, after.commit, path);
  const text = patch === undefined ? undefined : await store.text(folder, before.commit, path);
  return patch === undefined || text === undefined || (await wasRenamed(store, folder, before, after, path)) ? undefined : { before: text, patch };
}

/** A file that is gone while the same content has a new name was moved, not edited. */
async function wasRenamed(store: Checkpoints, folder: string, before: Checkpoint, after: Checkpoint, path: string): Promise<boolean> {
  const [differences = []] = await store.steps(folder, [[before.commit, after.commit]]);
  const own = differences.find((one) => one.path === path);
  return own?.new === undefined && differences.some((one) => one.old === undefined && one.new?.oid === own?.old?.oid);
}
