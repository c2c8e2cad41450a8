import type { SessionId } from '../../protocol/ids.ts';
import { type FinishContext, stateOf } from './finish-context.ts';
import { lookAtPullRequest } from './pull-requests.ts';

export interface PollTimes {
  /** While somebody watches the session or gets notifications. */
  readonly wantedMs: number;
  readonly otherwiseMs: number;
  /** After this time a pull request is no longer looked at. */
  readonly forMs: number;
  readonly tickMs: number;
}

export const POLL_TIMES: PollTimes = { wantedMs: 60_000, otherwiseMs: 600_000, forMs: 7 * 24 * 60 * 60_000, tickMs: 5_000 };

export interface PullRequestPolls {
  /** The last problem with this session's pull request. */
  problemOf(id: SessionId): string | undefined;
  /** Looks at it now, unless that is under way. */
  now(id: SessionId): Promise<void>;
  stop(): void;
}

interface Poll {
  lastAt: number;
  running: Promise<void> | undefined;
  problem: string | undefined;
  /** A host that refuses for now is asked less often. */
  isPassing: boolean;
}

/** Looks at linked pull requests in the background, also at those of an earlier server. */
export function pollPullRequests(context: FinishContext, isWanted: (id: SessionId) => boolean, times: PollTimes = POLL_TIMES): PullRequestPolls {
  const { engine, problems, now } = context;
  const polls = new Map<SessionId, Poll>();
  const add = (id: SessionId): Poll => {
    const poll = polls.get(id) ?? { lastAt: Number.NEGATIVE_INFINITY, running: undefined, problem: undefined, isPassing: false };
    polls.set(id, poll);
    return poll;
  };
  const isOver = (id: SessionId): boolean => {
    const pr = stateOf(context, id)?.pr;
    return pr == null || pr.state === 'merged' || pr.state === 'closed' || now() - Date.parse(pr.linkedAt) > times.forMs;
  };
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
      const everyMs = isWanted(id) && !poll.isPassing ? times.wantedMs : times.otherwiseMs;
      if (isOver(id)) polls.delete(id);
      else if (now() - poll.lastAt >= everyMs) void look(id);
    }
  };
  for (const { id } of engine.sessions()) if (!isOver(id)) add(id);
  const unwatch = engine.watch('*', (news) => {
    if (news.kind === 'events' && news.events.some(({ type }) => type === 'pr.linked')) add(news.sessionId).lastAt = Number.NEGATIVE_INFINITY;
    if (news.kind === 'deleted') polls.delete(news.sessionId);
  });
  const timer = problems.every('look at pull requests', times.tickMs, tick);
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
