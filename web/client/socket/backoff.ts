/** First wait, longest wait: short enough that a restart of the server is hardly seen, long enough to be no burden. */
const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** How long to wait before try number `attempt` (from 0). Half of it is chance, so that many tabs do not come at once. */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full / 2 + (full / 2) * random);
}
