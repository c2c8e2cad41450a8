import { expect, test } from 'vitest';
import { memory } from './session-file.ts';

const line = (payload: object): string => JSON.stringify({ timestamp: '2026-11-15T10:00:00.000Z', ordinal: 1, type: 'event_msg', payload });
const userMessage = (client_id: string): string => line({ type: 'item_completed', item: { type: 'UserMessage', id: 'u', client_id, content: [] } });
const ended = line({ type: 'task_complete', turn_id: 't' });
const aborted = line({ type: 'turn_aborted', turn_id: 't' });

const cases = [
  ['a record without it', [userMessage('other'), ended], 'absent'],
  ['a record that only mentions it in a message', [line({ type: 'item_completed', item: { type: 'UserMessage', id: 'u', content: 'c1' } }), ended], 'absent'],
  ['a record that ends with it', [userMessage('other'), ended, userMessage('c1')], 'taken'],
  ['a record that is cut in the middle of a line', [userMessage('c1'), ended.slice(0, 40)], 'taken'],
  ['a record of its complete turn', [userMessage('c1'), ended], 'answered'],
  ['a record of a turn that was stopped', [userMessage('c1'), aborted, userMessage('c2')], 'answered'],
  ['a record in which another message steered its turn', [userMessage('c1'), userMessage('c2'), ended], 'answered'],
] as const;

for (const [name, lines, expected] of cases) test(`${name} means ${expected}`, () => expect(memory.recall(lines.join('\n'), 'c1')).toBe(expected));

test('the record is in a folder named after a date that only Codex knows', () =>
  expect(memory.file({ cwd: '/w', agentSessionId: 'id', env: { HOME: '/home/ada' } })).toBe('/home/ada/.codex/sessions/*/*/*/*-id.jsonl'));
