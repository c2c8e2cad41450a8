import { expect, test } from 'vitest';
import type { Actor } from '../../protocol/actor.ts';
import type { EventOf } from '../../protocol/event.ts';
import { marksAfter } from './fold-item-marked.ts';

const ada: Actor = { kind: 'person', id: 'ada', name: 'Ada' };
const bob: Actor = { kind: 'person', id: 'bob', name: 'Bob' };
const marked = (at: string, fields: Partial<EventOf<'item.marked'>>) =>
  ({ type: 'item.marked', v: 1, seq: 9, at, target: 2, item: 'block:m1:0', ...fields }) as EventOf<'item.marked'>;

test('[R277] a note stores who wrote its current text, and when; a later star does not change that', () => {
  const first = marksAfter({}, marked('2026-01-01T10:00:00Z', { note: 'why', actor: ada }));
  const changed = marksAfter(first, marked('2026-01-01T11:00:00Z', { note: 'because', actor: bob }));
  const starred = marksAfter(changed, marked('2026-01-01T12:00:00Z', { star: true, actor: ada }));

  expect(first).toEqual({ note: 'why', noted: { at: '2026-01-01T10:00:00Z', actor: ada } });
  expect(starred).toEqual({ star: true, note: 'because', noted: { at: '2026-01-01T11:00:00Z', actor: bob } });
});

test('removing a note removes its author, and the star stays', () => {
  const both = marksAfter({}, marked('2026-01-01T10:00:00Z', { star: true, note: 'why', actor: ada }));

  expect(marksAfter(both, marked('2026-01-01T11:00:00Z', { note: null, actor: ada }))).toEqual({ star: true });
  expect(marksAfter(both, marked('2026-01-01T11:00:00Z', { note: '', star: false }))).toEqual({});
});
