import { expect, test } from 'vitest';
import { Event } from '../../../src/protocol/event.ts';
import { lastUsage, partsOf } from './context-parts.ts';

const usage = { inputTokens: 1000, outputTokens: 500, cacheReadTokens: 60_000, cacheWriteTokens: 2000 };
const journal = (...bodies: readonly object[]) => bodies.map((body, at) => Event.parse({ ...body, seq: at + 1, at: '2026-11-15T00:00:00.000Z' }));
const reported = { type: 'usage.reported', usage };
const compacted = { type: 'context.compacted', trigger: 'auto' };

test('the parts of the context add up to the window', () => {
  const parts = partsOf(lastUsage(journal({ ...reported, usage: { ...usage, outputTokens: 1 } }, reported)), 200_000);

  expect(parts.map(({ name, tokens }) => [name, tokens])).toEqual([
    ['kept', 60_000],
    ['fresh', 3000],
    ['written', 500],
    ['free', 136_500],
  ]);
});

test('with an unknown window, nothing counts as free', () => {
  expect(partsOf(lastUsage(journal(reported)), undefined).map(({ name }) => name)).toEqual(['kept', 'fresh', 'written']);
});

test('after a compaction the parts are unknown until the model answers again', () => {
  expect(partsOf(lastUsage(journal(reported, compacted)), 200_000)).toEqual([]);
});
