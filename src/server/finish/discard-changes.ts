import { discard } from '../../git/stage.ts';
import type { ActAnswer, StageBody } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { EventOf } from '../../protocol/event.ts';
import { type Acting, type FinishContext, record } from './finish-context.ts';
import { inTree, recordedPaths, selectionOf } from './stage-changes.ts';

/** The checkpoint is one of the last events, whatever else happens in the session. */
const LAST_EVENTS = 200;

/** Removes changes from the folder, once a checkpoint holds every file that is touched. */
export async function discardChanges(context: FinishContext, acting: Acting, body: StageBody): Promise<ActAnswer | Refusal> {
  const { session, commandId } = acting;
  return inTree(context, acting, 'discard', async (place) => {
    const selected = await selectionOf(context, place, 'unstaged', body);
    if (isRefusal(selected)) return selected;
    const taken = await context.engine.takeCheckpoint(session.id, 'discard', { commandId });
    if (isRefusal(taken)) return taken;
    const { checkpointId } = taken;
    const missing = notHeld(context, acting, checkpointId, recordedPaths(body).paths);
    if (missing !== undefined) return { refused: 'conflict', message: `${missing} Nothing was discarded.` };
    const refusal = await discard(place, selected.selection);
    if (refusal !== undefined) return refusal;
    return record(context, acting, { act: 'discard', ok: true, checkpointId, ...recordedPaths(body) });
  });
}

/** A checkpoint leaves out what is too large or not a plain file: that could not be brought back. */
function notHeld({ engine }: FinishContext, { session }: Acting, checkpointId: string, paths: readonly string[]): string | undefined {
  const events = engine.events(session.id, { before: Number.MAX_SAFE_INTEGER, limit: LAST_EVENTS });
  const made = events.findLast((event): event is EventOf<'checkpoint.made'> => event.type === 'checkpoint.made' && event.checkpointId === checkpointId);
  if (made === undefined) return 'The checkpoint could not be found.';
  if (made.leftMore !== undefined) return 'Too many files here are left out of checkpoints to be sure that these can be brought back.';
  const left = made.left.find(({ path }) => paths.some((each) => each === path || each.startsWith(`${path.replace(/\/$/, '')}/`)));
  return left === undefined ? undefined : `${JSON.stringify(left.path)} is not part of the checkpoint (${left.why}), so it could not be brought back.`;
}
