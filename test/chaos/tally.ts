import type { AgentKind, Situation, Victim } from './plan.ts';

/** A fault that hit its victim. */
export interface Kill {
  readonly seed: number;
  readonly round: number;
  readonly victim: Victim | 'server' | 'socket';
  /** Unset for the server and the sockets: they belong to all sessions. */
  readonly agent?: AgentKind;
  readonly situation?: Situation | 'idle';
  /** Size of out.ndjson at that instant, for the session or for every session in a turn. */
  readonly bytes: readonly number[];
}

/** How much was compared, by name. */
export interface Tally {
  readonly kills: Kill[];
  readonly counts: Map<string, number>;
}

export const newTally = (): Tally => ({ kills: [], counts: new Map() });

export function count(tally: Tally, what: string, by = 1): void {
  tally.counts.set(what, (tally.counts.get(what) ?? 0) + by);
}
