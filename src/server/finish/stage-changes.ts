import { finishStatus } from '../../git/finish-status.ts';
import { type ActPlace, type Selection, stage, unstage } from '../../git/stage.ts';
import type { ActAnswer, Side, SideFile, StageBody } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import { type Acting, actPlace, earlier, type FinishContext, record, stateOf } from './finish-context.ts';

/** Longer lists of paths are cut in the event; the index itself has them all. */
const RECORDED_PATHS = 100;

/** Moves whole files or hunks between the folder and the index. */
export async function changeIndex(context: FinishContext, acting: Acting, act: 'stage' | 'unstage', body: StageBody): Promise<ActAnswer | Refusal> {
  const side = act === 'stage' ? 'unstaged' : 'staged';
  return inTree(context, acting, act, async (place) => {
    const selected = await selectionOf(context, place, side, body);
    if (isRefusal(selected)) return selected;
    const refusal = act === 'stage' ? await stage(place, selected.selection) : await unstage(place, selected.selection, selected.hasCommit);
    if (refusal !== undefined) return refusal;
    return record(context, acting, { act, ok: true, ...recordedPaths(body) });
  });
}

/** Runs one act at a time in a working tree, once per command, where a person may act. */
export async function inTree(
  context: FinishContext,
  acting: Acting,
  act: ActAnswer['act'],
  work: (place: ActPlace) => Promise<ActAnswer | Refusal>,
): Promise<ActAnswer | Refusal> {
  return context.queues.run(acting.session.cwd, async () => {
    const known = earlier(context, acting, act);
    if (known !== undefined) return known;
    const running = stateOf(context, acting.session.id)?.running;
    if (running != null) return { refused: 'conflict', message: `A ${running.act} is still running here. Wait for it to end.` };
    const place = await actPlace(context, acting.session);
    return isRefusal(place) ? place : work(place);
  });
}

export function recordedPaths({ paths, hunks }: StageBody): { readonly paths: string[]; readonly hunks?: number } {
  const named = paths ?? [...new Set((hunks ?? []).map(({ path }) => path))];
  return { paths: named.slice(0, RECORDED_PATHS), ...(hunks !== undefined && { hunks: hunks.length }) };
}

interface Selected {
  readonly selection: Selection;
  readonly hasCommit: boolean;
}

/** Only what git lists on that side now can be chosen, so no path leads anywhere else. */
export async function selectionOf(context: FinishContext, { read }: ActPlace, side: Side, { paths, hunks }: StageBody): Promise<Selected | Refusal> {
  if ((paths === undefined) === (hunks === undefined)) return { refused: 'bad-request', message: 'Send either "paths" or "hunks".' };
  const status = await finishStatus(read, context.allowedRoots);
  if ('words' in status) return { refused: 'conflict', message: status.words };
  const known = new Map(status[side].map((file) => [file.path, file]));
  const wanted = paths ?? (hunks ?? []).map(({ path }) => path);
  const missing = wanted.filter((path) => !known.has(path));
  if (missing.length > 0)
    return {
      refused: 'conflict',
      message: `${missing
        .slice(0, 5)
        .map((path) => JSON.stringify(path))
        .join(', ')}: nothing ${side} here now. Look again.`,
    };
  const files: readonly SideFile[] = wanted.flatMap((path) => known.get(path) ?? []);
  return { selection: hunks === undefined ? { files } : { hunks }, hasCommit: status.head !== undefined };
}
