/** Every number by which health is judged. */
export const THRESHOLDS = {
  critical: { compactions: 3, compactionsAndEnded: 2, share: 0.98 },
  high: { compactions: 2, compactionsAndPeak: 1, peakTokens: 150_000, share: 0.9 },
  /**
   * The shares: 120,000 of the usual window of 200,000 are 0.6, so a small window is judged like the usual one. At 0.9 the next turn is likely to end
   * in a compaction (agents compact by themselves near there), and past 0.98 there is no room left for an answer.
   */
  moderate: { compactions: 1, peakTokens: 120_000, share: 0.6 },
  /** The same failing call: twice is a second try, three times in a row is a loop. */
  loopCalls: 3,
  /** Retries and failed turns in a row. */
  apiErrors: 3,
  /** Agents let one command run for at most ten minutes; one that has been silent for longer is not just waiting for a command. */
  stuckToolMs: 10 * 60_000,
  /** A long thought can take minutes and is one event at its end. */
  silentMs: 10 * 60_000,
} as const;
