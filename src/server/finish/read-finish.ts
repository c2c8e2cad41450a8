import type { ActOutcome, FinishState } from '../../domain/finish/finish-state.ts';
import { shownPr } from '../../domain/finish/finish-state.ts';
import { finishStatus } from '../../git/finish-status.ts';
import { lockProblem } from '../../git/index-lock.ts';
import { sideDiff } from '../../git/side-diff.ts';
import type { ActAnswer, Finish, Side, SideDiff } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { Session } from '../../protocol/session.ts';
import { answerOf, type FinishContext, plantedIn, repositoryFor, stateOf } from './finish-context.ts';

export interface FinishQuestion {
  readonly path?: string | undefined;
  readonly side?: Side | undefined;
}

/** Everything the Finish tab shows; with a path, also that file's hunks. */
export async function readFinish(context: FinishContext, session: Session, { path, side = 'unstaged' }: FinishQuestion): Promise<Finish | Refusal> {
  const place = await repositoryFor(context, session);
  if (isRefusal(place)) return place.refused === 'conflict' ? { repository: false, reason: place.message } : place;
  const [status, planted, locked] = await Promise.all([finishStatus(place, context.allowedRoots), plantedIn(context, session.id, place), lockProblem(place)]);
  if ('words' in status) return { repository: false, reason: status.words };
  const file = path === undefined ? undefined : status[side].find((each) => each.path === path);
  const diff = path === undefined ? undefined : file === undefined ? unchanged(path, side) : await sideDiff(place, side, file);
  return {
    repository: true,
    ...status,
    ...(locked !== undefined && { locked }),
    ...(planted !== undefined && { planted }),
    ...shownState(stateOf(context, session.id)),
    ...(diff !== undefined && { diff }),
  };
}

const unchanged = (path: string, side: Side): SideDiff => ({ path, side, hunks: [], canSplit: false, note: `This file has nothing ${side} now.` });

/** Staging is visible by itself. */
const SHOWN: ReadonlySet<ActOutcome['act']> = new Set(['discard', 'commit', 'push', 'pr']);

function shownState(state: FinishState | undefined): Pick<Extract<Finish, { repository: true }>, 'running' | 'recent' | 'pr'> {
  const recent = (state?.recent ?? []).filter(({ act }) => SHOWN.has(act)).map((outcome): ActAnswer => answerOf(outcome.commandId, outcome));
  const running = state?.running ?? null;
  const pr = state?.pr ?? null;
  return {
    recent,
    ...(running !== null && { running: { commandId: running.commandId, act: running.act, scriptId: running.scriptId, at: running.at } }),
    ...(pr !== null && { pr: shownPr(pr) }),
  };
}
