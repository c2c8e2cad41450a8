import type { EventOf, ModelSpent } from '../../protocol/event.ts';
import { dayOf, NO_TOKENS, type UsageEntry } from './entry.ts';

/** What a turn that ran here took, as the agent itself told it: an entry for each model, of which one carries the turn. */
export function turnEntries(turn: EventOf<'turn.completed'>, model: string): readonly UsageEntry[] {
  const spent = spentOf(turn, model);
  const main = Math.max(
    spent.findIndex((one) => one.model === model),
    0,
  );
  return spent.map((one, index) => ({
    key: `t${turn.turnId} ${one.model}`,
    isShared: false,
    day: dayOf(turn.at),
    model: one.model,
    usage: one.usage,
    ...(one.costUsd !== undefined && { costUsd: one.costUsd }),
    turns: index === main ? 1 : 0,
    durationMs: index === main ? (turn.durationMs ?? 0) : 0,
  }));
}

function spentOf({ models = [], usage, costUsd }: EventOf<'turn.completed'>, model: string): readonly ModelSpent[] {
  const [only, ...others] = models;
  if (only === undefined) return [{ model, usage: usage ?? NO_TOKENS, ...(costUsd !== undefined && { costUsd }) }];
  // The cost of the whole turn belongs to its only model, when that was told no cost of its own.
  if (others.length === 0 && only.costUsd === undefined && costUsd !== undefined) return [{ ...only, costUsd }];
  return models;
}
