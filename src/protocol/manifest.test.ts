import { expect, test } from 'vitest';
import { Command } from './command.ts';
import { EVENTS, Event } from './event.ts';
import { ClientFrame, FRAME_REVISION, ServerFrame } from './frame.ts';
import { OBSERVATIONS } from './observation-manifest.ts';

test('the list of durable events and their versions is what it was', () => {
  expect(EVENTS.map((event) => `${event.type} ${event.version}`)).toEqual([
    'session.created 1',
    'session.status 1',
    'run.opened 1',
    'run.ready 1',
    'run.ending 1',
    'session.started 1',
    'capabilities.told 1',
    'session.exited 1',
    'input.accepted 1',
    'input.edited 1',
    'input.moved 1',
    'input.steered 1',
    'input.cancelled 1',
    'input.delivered 1',
    'input.consumed 1',
    'input.returned 1',
    'user.message 1',
    'assistant.text 1',
    'assistant.thinking 1',
    'tool.started 1',
    'tool.completed 1',
    'permission.requested 1',
    'permission.resolved 1',
    'interrupt.requested 1',
    'turn.started 1',
    'turn.completed 1',
    'usage.reported 1',
    'limit.reported 1',
    'context.compacted 1',
    'context.forgotten 1',
    'suggestion.offered 1',
    'task.updated 1',
    'hook.ran 1',
    'model.changed 1',
    'mode.changed 1',
    'thinking.changed 1',
    'setting.requested 1',
    'setting.refused 1',
    'rewind.requested 1',
    'files.rewound 1',
    'driver.found 1',
    'driver.gone 1',
    'takeover.requested 1',
    'continuation.scheduled 1',
    'continuation.ended 1',
    'handover.ready 1',
    'retry.reported 1',
    'notice.shown 1',
    'output.lost 1',
    'meta.changed 1',
    'item.marked 1',
    'session.deleted 1',
    'rule.created 1',
    'rule.revoked 1',
    'token.added 1',
    'token.revoked 1',
    'conversations.closed 1',
    'unrecognised 1',
  ]);
});

test('the list of observations is what it was, and only text in progress is not kept', () => {
  expect(OBSERVATIONS.filter((observation) => observation.durable).map(({ type, version }) => `${type} ${version}`)).toEqual([
    'session.started 1',
    'capabilities.told 1',
    'user.message 1',
    'assistant.text 1',
    'assistant.thinking 1',
    'tool.started 1',
    'tool.completed 1',
    'usage.reported 1',
    'limit.reported 1',
    'context.compacted 1',
    'suggestion.offered 1',
    'task.updated 1',
    'hook.ran 1',
    'model.changed 1',
    'mode.changed 1',
    'thinking.changed 1',
    'setting.refused 1',
    'files.rewound 1',
    'retry.reported 1',
    'notice.shown 1',
    'unrecognised 1',
    'turn.began 1',
    'turn.ended 1',
    'input.taken 1',
    'input.dropped 1',
    'permission.asked 1',
    'permission.withdrawn 1',
  ]);
  expect(OBSERVATIONS.filter((observation) => !observation.durable).map(({ type }) => type)).toEqual(['delta', 'delta.dropped', 'agent.ready', 'reply']);
});

test('the frames and commands are what they were', () => {
  const typesOf = (union: {
    readonly def: {
      readonly options: readonly { readonly def: { readonly shape: { readonly type: { readonly def: { readonly values: readonly unknown[] } } } } }[];
    };
  }) => union.def.options.map((option) => option.def.shape.type.def.values[0]);
  expect(FRAME_REVISION).toBe(1);
  expect(typesOf(ClientFrame)).toEqual(['hello', 'subscribe', 'unsubscribe', 'input', 'interrupt', 'permission', 'ping']);
  expect(typesOf(ServerFrame)).toEqual([
    'welcome',
    'snapshot',
    'event',
    'delta',
    'delta.dropped',
    'status',
    'sessions',
    'ack',
    'refused',
    'resubscribe',
    'notice',
    'problems',
    'index',
    'activity',
    'pong',
  ]);
  expect(typesOf(Command)).toEqual([
    'session.create',
    'input.send',
    'input.cancel',
    'input.edit',
    'input.move',
    'input.steer',
    'turn.interrupt',
    'session.stop',
    'session.sleep',
    'session.wake',
    'session.delete',
    'session.describe',
    'item.mark',
    'permission.answer',
    'model.set',
    'mode.set',
    'thinking.set',
    'files.rewind',
    'session.takeover',
    'continuation.schedule',
    'continuation.cancel',
  ]);
});

test('a stored event is read by its own schema, and an unknown type is refused', () => {
  const stored = { seq: 3, at: '2026-11-15T00:00:00.000Z', type: 'session.status', status: 'idle', cause: 'turn.completed' };
  expect(Event.parse(stored)).toEqual(stored);
  expect(Event.safeParse({ ...stored, type: 'session.vanished' }).success).toBe(false);
});
