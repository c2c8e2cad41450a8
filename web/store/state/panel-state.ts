import type { Move, Track } from '../../../src/protocol/api/panel.ts';

interface Moved {
  readonly sessionId: string;
  readonly moves: readonly Move[];
}

export interface PanelState {
  /** `unopened` until someone opens the panel: before that nothing is stored. */
  readonly phase: 'unopened' | 'loading' | 'known' | 'failed';
  /** Number of requests: only the last answer counts. */
  readonly requestCount: number;
  /** By session. */
  readonly tracks: ReadonlyMap<string, Track>;
  /** Moves that arrived during the request: the answer may be older. */
  readonly received: readonly Moved[];
  /** How far the server's clock, which all times here use, is ahead of ours. */
  readonly aheadMs: number;
  /** Why the earlier activity couldn't be loaded. */
  readonly problem: string;
}

export const NO_PANEL: PanelState = { phase: 'unopened', requestCount: 0, tracks: new Map(), received: [], aheadMs: 0, problem: '' };
