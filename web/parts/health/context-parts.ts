import type { Event, Usage } from '../../../src/protocol/event.ts';

export interface ContextPart {
  readonly name: 'kept' | 'fresh' | 'written' | 'free';
  readonly label: string;
  readonly tokens: number;
}

/** The usage of the model's last answer; undefined when the context has changed since then. */
export function lastUsage(events: readonly Event[]): Usage | undefined {
  const last = events.findLast(({ type }) => type === 'usage.reported' || type === 'context.compacted');
  return last?.type === 'usage.reported' ? last.usage : undefined;
}

/** The context in parts that add up to the window, if the window is known. */
export function partsOf(usage: Usage | undefined, window: number | undefined): readonly ContextPart[] {
  if (usage === undefined) return [];
  const fresh = usage.inputTokens + usage.cacheWriteTokens;
  const full = usage.cacheReadTokens + fresh + usage.outputTokens;
  const parts: readonly ContextPart[] = [
    { name: 'kept', label: 'From the cache', tokens: usage.cacheReadTokens },
    { name: 'fresh', label: 'New in the last step', tokens: fresh },
    { name: 'written', label: 'Model output', tokens: usage.outputTokens },
    { name: 'free', label: 'Free', tokens: window === undefined ? 0 : Math.max(0, window - full) },
  ];
  return parts.filter(({ tokens }) => tokens > 0);
}
