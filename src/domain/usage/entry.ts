import type { Usage } from '../../protocol/event.ts';

/** One thing that was spent: an answer of a model, a turn, or a prompt of a person in another program. */
export interface UsageEntry {
  /** If it is reported again under the same key, the later one counts. */
  readonly key: string;
  /** The same key in another session of the same agent is a copy of this one: a fork repeats what its origin spent. */
  readonly isShared: boolean;
  /** In UTC. */
  readonly day: string;
  /** Empty if unknown. */
  readonly model: string;
  readonly usage: Usage;
  /** As the agent reported it. */
  readonly costUsd?: number;
  readonly turns: number;
  readonly durationMs: number;
}

export const NO_TOKENS: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const tokensOf = (usage: Usage): number => usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const dayOf = (at: string): string => {
  // Nearly every time looks like this, and parsing takes many times as long.
  if (UTC_TIME.test(at)) return at.slice(0, 10);
  const time = Date.parse(at);
  return Number.isNaN(time) ? at.slice(0, 10) : new Date(time).toISOString().slice(0, 10);
};

/** A suffix in brackets (`[1m]`) chooses a window of the same model; agents report usage with it or without it. */
export const plainModel = (model: string): string => model.replace(/\[[^\]]*\]$/, '');
