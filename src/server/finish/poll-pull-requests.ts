import { pollDue } from '../../domain/finish/poll-schedule.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type FinishContext, stateOf } from './finish-context.ts';
import { lookAtPullRequest } from './pull-requests.ts';

/** How often it is considered which ones are due. */
const TICK_MS = 5_000;

export interface PullRequestPolls {
  /** The last problem with this session's pull request. */
  problemOf(id: SessionId): string | undefined;
  /** Looks at it now, unless that is under way. */
  now(id: SessionId): Promise<void>;
  stop(): void;
}

interface Poll {
  lastAt: number | undefined;
  running: Promise<void> | undefined;
  problem: string | undefined;
  /** A host that refuses for now is asked less often. */
  isPassing: boolean;
}

/** Looks at linked pull requests in the background, also at those of an earlier server. */
export function pollPullRequests(context: FinishContext, isWanted: (id: SessionId) => boolean): PullRequestPolls {
  const { engine, problems, now } = context;
  const polls = new Map<SessionId, Poll>();
  const add = (id: SessionId): Poll => {
    const poll = polls.get(id) ?? { lastAt: undefined, running: undefined, problem: undefined, isPassing: false };
    polls.set(id, poll);
    return poll;
  };
  const dueOf = (id: SessionId, { lastAt, isPassing }: Pick<Poll, 'lastAt' | 'isPassing'>) =>
    pollDue({ pr: stateOf(context, id)?.pr, lastAt, isWanted: isWanted(id), isPassing }, now());
  const look = (id: SessionId): Promise<void> => {
    const poll = add(id);
    poll.running ??= lookAtPullRequest(context, id)
      .then((problem) => {
        poll.problem = problem?.words;
        poll.isPassing = problem?.isPassing === true;
      })
      .catch((error: unknown) => context.log.warn({ error, session: id }, 'could not look at a pull request'))
      .finally(() => {
        poll.lastAt = now();
        poll.running = undefined;
      });
    return poll.running;
  };
  const tick = (): void => {
    for (const [id, poll] of polls) {
      const due = dueOf(id, poll);
      if (due === 'over') polls.delete(id);
      else if (due === 'now') void look(id);
    }
  };
  for (const { id } of engine.sessions()) if (dueOf(id, { lastAt: undefined, isPassing: false }) !== 'over') add(id);
  const unwatch = engine.watch('*', (news) => {
    if (news.kind === 'events' && news.events.some(({ type }) => type === 'pr.linked')) add(news.sessionId).lastAt = undefined;
    if (news.kind === 'deleted') polls.delete(news.sessionId);
  });
  const timer = problems.every('look at pull requests', TICK_MS, tick);
  timer.unref();
  return {
    problemOf: (id) => polls.get(id)?.problem,
    now: look,
    stop: () => {
      clearInterval(timer);
      unwatch();
    },
  };
}
