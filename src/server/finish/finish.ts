import { shownPr } from '../../domain/finish/finish-state.ts';
import type { ActAnswer, DraftMessage, Finish as FinishAnswer, PrAnswer, PrBody, PrNow, PushBody, StageBody } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { discardChanges } from './discard-changes.ts';
import { draftMessage } from './draft-message.ts';
import { type Acting, type FinishContext, type FinishParts, finishContext, plantedIn, repositoryFor, stateOf } from './finish-context.ts';
import { commit, push, resumeActs, type Started } from './long-acts.ts';
import { noteStarts } from './note-start.ts';
import { type PullRequestPolls, pollPullRequests } from './poll-pull-requests.ts';
import { openPullRequest } from './pull-requests.ts';
import { type FinishQuestion, readFinish } from './read-finish.ts';
import { changeIndex } from './stage-changes.ts';

/** What people do with a session's changes. Every act is for a driver or owner; the routes check that. */
export interface Finish {
  read(session: Session, question: FinishQuestion): Promise<FinishAnswer | Refusal>;
  /** Confirms exactly what is shown: hooks and settings that the agent may have planted. */
  trust(acting: Acting, sha256: string): Promise<{ readonly seq: number } | Refusal>;
  stage(acting: Acting, body: StageBody): Promise<ActAnswer | Refusal>;
  unstage(acting: Acting, body: StageBody): Promise<ActAnswer | Refusal>;
  /** Removes changes from the folder; the answer names the checkpoint that has them. */
  discard(acting: Acting, body: StageBody): Promise<ActAnswer | Refusal>;
  /** Starts a commit of what is staged; it goes on without this server. */
  commit(acting: Acting, message: string): Promise<Started | Refusal>;
  push(acting: Acting, body: PushBody): Promise<Started | Refusal>;
  draft(acting: Acting): Promise<DraftMessage | Refusal>;
  openPullRequest(acting: Acting, body: PrBody): Promise<PrAnswer | Refusal>;
  /** The pull request as it is now. */
  pullRequest(session: Session): Promise<PrNow>;
  /** Dismisses a card about the pull request, or sends it to the agent as one message. */
  card(acting: Acting, card: string, send: boolean): Promise<{ readonly seq: number } | Refusal>;
  /** Tells whether a page shows a session: then its checks are looked at more often. */
  watchPages(isShown: (id: SessionId) => boolean): void;
  close(): void;
}

export function openFinish(parts: FinishParts): Finish {
  const context = finishContext(parts);
  let isShown = (_: SessionId): boolean => false;
  const isWanted = (id: SessionId): boolean => isShown(id) || (parts.isFollowed?.() ?? false);
  const polls = pollPullRequests(context, isWanted);
  const stops = [noteStarts(context), () => polls.stop()];
  resumeActs(context);
  return {
    read: (session, question) => readFinish(context, session, question),
    trust: (acting, sha256) => trust(context, acting, sha256),
    stage: (acting, body) => changeIndex(context, acting, 'stage', body),
    unstage: (acting, body) => changeIndex(context, acting, 'unstage', body),
    discard: (acting, body) => discardChanges(context, acting, body),
    commit: (acting, message) => commit(context, acting, message),
    push: (acting, body) => push(context, acting, body),
    draft: (acting) => draftMessage(context, acting),
    openPullRequest: (acting, body) => openPullRequest(context, acting, body),
    pullRequest: (session) => pullRequestNow(context, polls, session),
    card: ({ session, actor, commandId }, card, send) => context.engine.submit({ type: 'pr.dismiss', commandId, sessionId: session.id, card, send }, actor),
    watchPages: (shown) => {
      isShown = shown;
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

async function trust(context: FinishContext, { session, actor, commandId }: Acting, sha256: string): Promise<{ seq: number } | Refusal> {
  const place = await repositoryFor(context, session);
  if (isRefusal(place)) return place;
  const planted = await plantedIn(context, session.id, place);
  if (planted?.sha256 !== sha256)
    return { refused: 'conflict', message: 'Hooks or settings have changed since you looked at them. Look again before you confirm.' };
  const names = planted.changes.map(({ name }) => name);
  return context.engine.submit({ type: 'git.trust', commandId, sessionId: session.id, sha256, names }, actor);
}

async function pullRequestNow(context: FinishContext, polls: PullRequestPolls, { id }: Session): Promise<PrNow> {
  const known = stateOf(context, id)?.pr;
  if (known == null) return {};
  if (known.state === 'open' || known.state === 'draft') await polls.now(id);
  const pr = stateOf(context, id)?.pr ?? known;
  const problem = polls.problemOf(id);
  return { pr: shownPr(pr), ...(problem !== undefined && { problem }) };
}
