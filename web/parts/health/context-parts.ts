import type { Event, Usage } from '../../../src/protocol/event.ts';

export interface ContextPart {
  readonly name: 'kept' | 'fresh' | 'written' | 'free';
  readonly words: string;
  readonly tokens: number;
}

/** What the last answer of the model took. Nothing when what came since has changed the context. */
export function lastUsage(events: readonly Event[]): Usage | undefined {
  const last = events.findLast(({ type }) => type === 'usage.reported' || type === 'context.compacted');
  return last?.type === 'usage.reported' ? last.usage : undefined;
}

/** The context in parts that add up to the window, when that is known. */
export function partsOf(usage: Usage | undefined, window: number | undefined): readonly ContextPart[] {
  if (usage === undefined) return [];
  const fresh = usage.inputTokens + usage.cacheWriteTokens;
  const full = usage.cacheReadTokens + fresh + usage.outputTokens;
  const parts: readonly ContextPart[] = [
    { name: 'kept', words: 'Known before, from the cache', tokens: usage.cacheReadTokens },
    { name: 'fresh', words: 'New with the last step', tokens: fresh },
    { name: 'written', words: 'Written by the model', tokens: usage.outputTokens },
    { name: 'free', words: 'Free', tokens: window === undefined ? 0 : Math.max(0, window - full) },
  ];
  return parts.filter(({ tokens }) => tokens > 0);
}
