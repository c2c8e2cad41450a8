import type { ActAnswer, Finish as FinishAnswer, PushBody, StageBody } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { Session } from '../../protocol/session.ts';
import { type Acting, type FinishParts, finishContext, plantedIn, repositoryFor } from './finish-context.ts';
import { commit, push, resumeActs, type Started } from './long-acts.ts';
import { noteStarts } from './note-start.ts';
import { type FinishQuestion, readFinish } from './read-finish.ts';
import { changeIndex } from './stage-changes.ts';

/** What people do with a session's changes. Every act is for a driver or owner; the routes check that. */
export interface Finish {
  read(session: Session, question: FinishQuestion): Promise<FinishAnswer | Refusal>;
  /** Confirms exactly what is shown: hooks and settings that the agent may have planted. */
  trust(acting: Acting, sha256: string): Promise<{ readonly seq: number } | Refusal>;
  stage(acting: Acting, body: StageBody): Promise<ActAnswer | Refusal>;
  unstage(acting: Acting, body: StageBody): Promise<ActAnswer | Refusal>;
  /** Starts a commit of what is staged; it goes on without this server. */
  commit(acting: Acting, message: string): Promise<Started | Refusal>;
  push(acting: Acting, body: PushBody): Promise<Started | Refusal>;
  close(): void;
}

export function openFinish(parts: FinishParts): Finish {
  const context = finishContext(parts);
  const stops = [noteStarts(context)];
  resumeActs(context);
  return {
    read: (session, question) => readFinish(context, session, question),
    trust: (acting, sha256) => trust(context, acting, sha256),
    stage: (acting, body) => changeIndex(context, acting, 'stage', body),
    unstage: (acting, body) => changeIndex(context, acting, 'unstage', body),
    commit: (acting, message) => commit(context, acting, message),
    push: (acting, body) => push(context, acting, body),
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

async function trust(context: ReturnType<typeof finishContext>, { session, actor, commandId }: Acting, sha256: string): Promise<{ seq: number } | Refusal> {
  const place = await repositoryFor(context, session);
  if (isRefusal(place)) return place;
  const planted = await plantedIn(context, session.id, place);
  if (planted?.sha256 !== sha256)
    return { refused: 'conflict', message: 'Hooks or settings have changed since you looked at them. Look again before you confirm.' };
  const names = planted.changes.map(({ name }) => name);
  return context.engine.submit({ type: 'git.trust', commandId, sessionId: session.id, sha256, names }, actor);
}
