import { expect, test } from 'vitest';
import type { Event } from '../protocol/event.ts';
import { callKey } from './health/call-key.ts';
import { isDeep, prepareObservation } from './long-content.ts';
import { documentsOf } from './search/document.ts';
import { fullEvent } from './search/full-text.ts';

const nested = (depth: number, kind: 'array' | 'object'): unknown => {
  let value: unknown = 'at the bottom';
  for (let level = 0; level < depth; level += 1) value = kind === 'array' ? [value] : { in: value };
  return value;
};
const called = (input: Record<string, unknown>) => ({ type: 'tool.started', toolUseId: 't', name: 'Tool', input }) as const;
const NO_BLOBS = { text: () => ({ sha256: '', bytes: 0 }), image: () => ({ sha256: '', bytes: 0 }) };

for (const kind of ['array', 'object'] as const) {
  test(`arguments nested a hundred thousand levels deep do not overflow the stack (${kind})`, () => {
    const call = called({ first: 'seen', deep: nested(100_000, kind) });
    const event = { ...call, seq: 1, at: new Date(0).toISOString() } satisfies Event;
    expect(isDeep(call)).toBe(true);
    expect(callKey(call)).toBe(callKey(called({ deep: nested(100_000, kind), first: 'seen' })));
    expect(documentsOf(event)).toMatchObject([{ kind: 'tool', text: 'Tool\nseen' }]);
    const kept = prepareObservation(NO_BLOBS, call);
    expect(isDeep(kept)).toBe(false);
    expect(JSON.stringify(kept)).toContain('…');
    expect(kept.input.first).toBe('seen');
    const path = `input${'.0'.repeat(100_000)}`;
    expect(fullEvent({ ...event, blobs: { [path]: { sha256: 'a', bytes: 1 } } }, () => 'text').type).toBe('tool.started');
  });
}

test('arguments nested to a usual depth stay unchanged', () => {
  const call = called({ deep: nested(50, 'object') });
  expect(isDeep(call)).toBe(false);
  expect(prepareObservation(NO_BLOBS, call)).toEqual(call);
});
