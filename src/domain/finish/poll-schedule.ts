import type { LinkedPr } from './finish-state.ts';

export interface PollTimes {
  /** While somebody watches the session or gets notifications. */
  readonly wantedMs: number;
  readonly otherwiseMs: number;
  /** After this time a pull request is no longer looked at. */
  readonly forMs: number;
}

export const POLL_TIMES: PollTimes = { wantedMs: 60_000, otherwiseMs: 10 * 60_000, forMs: 7 * 24 * 60 * 60_000 };

export interface PollFacts {
  readonly pr: Pick<LinkedPr, 'state' | 'linkedAt'> | null | undefined;
  /** When the last look ended; undefined if there was none, as after a start of the server. */
  readonly lastAt: number | undefined;
  readonly isWanted: boolean;
  /** The host refused for now (a rate limit, no network): it is asked less often. */
  readonly isPassing: boolean;
}

/** Whether a pull request is looked at now, later, or never again. */
export function pollDue({ pr, lastAt, isWanted, isPassing }: PollFacts, now: number, times: PollTimes = POLL_TIMES): 'now' | 'later' | 'over' {
  if (pr == null || pr.state === 'merged' || pr.state === 'closed' || now - Date.parse(pr.linkedAt) > times.forMs) return 'over';
  const everyMs = isWanted && !isPassing ? times.wantedMs : times.otherwiseMs;
  return lastAt === undefined || now - lastAt >= everyMs ? 'now' : 'later';
}
