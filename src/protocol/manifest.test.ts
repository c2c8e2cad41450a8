import { expect, test } from 'vitest';
import { Command } from './command.ts';
import { EVENTS, Event } from './event.ts';
import { ClientFrame, FRAME_REVISION, ServerFrame } from './frame.ts';
import { OBSERVATIONS } from './observation-manifest.ts';

test('the list of durable events, their versions, makers and places in a transcript is unchanged', () => {
  expect(EVENTS.map((event) => `${event.type} ${event.version} ${event.madeBy} ${event.transcript}`)).toEqual([
    'session.created 1 person mark',
    'session.status 1 server hidden',
    'run.opened 1 person hidden',
    'run.ready 1 engine hidden',
    'run.ending 1 person hidden',
    'session.started 1 agent both',
    'capabilities.told 1 agent hidden',
    'session.exited 1 engine both',
    'input.accepted 1 person item',
    'input.edited 1 person item',
    'input.moved 1 person item',
    'input.steered 1 person item',
    'input.cancelled 1 person item',
    'input.delivered 1 person item',
    'input.consumed 1 engine item',
    'input.returned 1 person item',
    'user.message 1 agent item',
    'assistant.text 1 agent item',
    'assistant.thinking 1 agent item',
    'tool.started 1 agent item',
    'tool.completed 1 agent item',
    'permission.requested 1 engine item',
    'permission.resolved 1 person item',
    'interrupt.requested 1 person hidden',
    'turn.started 1 engine both',
    'turn.completed 1 engine item',
    'usage.reported 1 agent hidden',
    'limit.reported 1 agent mark',
    'context.compacted 1 agent mark',
    'context.forgotten 1 engine both',
    'suggestion.offered 1 agent item',
    'task.updated 1 agent both',
    'hook.ran 1 agent mark',
    'model.changed 1 agent both',
    'mode.changed 1 agent both',
    'thinking.changed 1 agent both',
    'setting.requested 1 person item',
    'setting.refused 1 agent both',
    'rewind.requested 1 person hidden',
    'files.rewound 1 agent mark',
    'driver.found 1 engine mark',
    'driver.gone 1 engine mark',
    'takeover.requested 1 person mark',
    'continuation.scheduled 1 person mark',
    'continuation.ended 1 person mark',
    'handover.ready 1 person mark',
    'retry.reported 1 agent mark',
    'notice.shown 1 agent mark',
    'output.lost 1 server mark',
    'meta.changed 1 person hidden',
    'item.marked 1 person item',
    'annotation.made 1 person hidden',
    'annotation.edited 1 person hidden',
    'annotation.withdrawn 1 person hidden',
    'annotation.sent 1 person hidden',
    'annotation.settled 1 person hidden',
    'review.sent 1 person hidden',
    'annotation.answered 1 engine hidden',
    'review.ended 1 engine mark',
    'checkpoint.made 1 server hidden',
    'checkpoint.skipped 1 server mark',
    'checkpoint.removed 1 server hidden',
    'checkpoint.enabled 1 person mark',
    'revert.requested 1 person hidden',
    'revert.done 1 server mark',
    'act.refused 1 person hidden',
    'session.deleted 1 person hidden',
    'rule.created 1 person hidden',
    'rule.revoked 1 person hidden',
    'token.added 1 person hidden',
    'token.revoked 1 person hidden',
    'conversations.closed 1 person hidden',
    'review.requested 1 person hidden',
    'background.ended 1 person hidden',
    'unrecognised 1 agent item',
  ]);
});

test('the list of observations is unchanged, and only transient ones are not stored', () => {
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

test('the frames and commands are unchanged', () => {
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
    'waiting',
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
    'files.revert',
    'checkpoints.enable',
    'session.takeover',
    'continuation.schedule',
    'continuation.cancel',
    'annotation.make',
    'annotation.edit',
    'annotation.withdraw',
    'annotation.settle',
    'review.send',
    'review.mark',
  ]);
});

test('a stored event is read by its own schema, and an unknown type is refused', () => {
  const stored = { seq: 3, at: '2026-11-15T00:00:00.000Z', type: 'session.status', status: 'idle', cause: 'turn.completed' };
  expect(Event.parse(stored)).toEqual(stored);
  expect(Event.safeParse({ ...stored, type: 'session.vanished' }).success).toBe(false);
});
