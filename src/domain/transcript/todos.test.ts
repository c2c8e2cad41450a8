import { expect, test } from 'vitest';
import { Event } from '../../protocol/event.ts';
import type { ToolItem } from './item.ts';
import { todosAfter } from './todos.ts';
import { openTranscript } from './transcript.ts';

type Call = readonly [input: object, output?: string, isError?: boolean];

const callsOf = (calls: readonly Call[]): readonly ToolItem[] => {
  const events = calls.flatMap(([input, output = '', isError = false], at) => [
    { type: 'tool.started', toolUseId: `u${at}`, name: 'list', input },
    { type: 'tool.completed', toolUseId: `u${at}`, output, isError },
  ]);
  const { items } = openTranscript(events.map((event, at) => Event.parse({ ...event, seq: at + 1, at: '2026-11-15T00:00:00.000Z' })));
  return [...items.values()].filter((item) => item.kind === 'tool');
};

const todo = (content: string, status: string) => ({ content, status });

test('the last reported list counts', () => {
  const first = { todos: [todo('look', 'in_progress'), todo('change', 'pending')] };
  const second = { todos: [todo('look', 'completed'), todo('change', 'in_progress')] };

  expect(todosAfter(callsOf([[first], [second]]))).toEqual(second.todos);
});

test('a list from a failed call is ignored', () => {
  const first = { todos: [todo('look', 'in_progress')] };

  expect(todosAfter(callsOf([[first], [{ todos: [] }, 'not so', true]]))).toEqual(first.todos);
});

const shapes = [
  ['steps of a plan', { plan: [{ step: 'look', status: 'completed' }] }],
  ['entries of a plan', { entries: [{ content: 'look', status: 'completed', priority: 'high' }] }],
] as const;
for (const [name, input] of shapes) test(`${name} are a list as well`, () => expect(todosAfter(callsOf([[input]]))).toEqual([todo('look', 'completed')]));

test('entries that are created and changed one by one make a list', () => {
  const calls: readonly Call[] = [
    [{ subject: 'look', description: 'look around' }, 'Task #1 created'],
    [{ subject: 'change', description: 'change it' }, 'Task #2 created'],
    [{ subject: 'forget', description: '' }, 'Task #3 created'],
    [{ taskId: '1', status: 'completed' }],
    [{ taskId: '2', status: 'in_progress', subject: 'change it all' }],
    [{ taskId: '3', status: 'deleted' }],
  ];

  expect(todosAfter(callsOf(calls))).toEqual([todo('look', 'completed'), todo('change it all', 'in_progress')]);
});
