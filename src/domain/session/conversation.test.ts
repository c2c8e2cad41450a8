import { expect, test } from 'vitest';
import type { Event, EventBody, Origin } from '../../protocol/event.ts';
import type { ItemId } from '../../protocol/ids.ts';
import { conversationUpTo, messageIdOf } from './conversation.ts';

const numbered = (bodies: readonly object[]): readonly Event[] =>
  bodies.map((body, index) => ({ ...(body as EventBody), seq: index + 1, at: '2026-11-15T01:00:00.000Z' }) as Event);
const created = (origin?: Origin) => ({ type: 'session.created', ...(origin && { origin }) });
const opened = (mode: string, agentSessionId: string) => ({ type: 'run.opened', mode, agentSessionId });
const started = (agentSessionId: string) => ({ type: 'session.started', agentSessionId });
const said = (uuid: string, more: object = {}) => ({ type: 'assistant.text', uuid, ...more });
const old = { inherited: true };

const cases: readonly (readonly [string, readonly object[], string | undefined, readonly string[]])[] = [
  ['its own conversation', [created(), opened('new', 'A'), started('A'), said('1'), said('2')], 'A', ['1', '2']],
  ['after a resume, the same', [created(), opened('new', 'A'), said('1'), opened('resume', 'A'), said('2')], 'A', ['1', '2']],
  ['after the agent started another one, that one', [created(), opened('new', 'A'), started('A'), said('1'), started('B'), said('2')], 'B', ['2']],
  [
    'in a fork with its own message, the copy',
    [created({ kind: 'fork', agentSessionId: 'A' }), said('1', old), opened('fork', 'B'), said('2')],
    'B',
    ['1', '2'],
  ],
  ['in a fork without its own message, the original', [created({ kind: 'fork', agentSessionId: 'A' }), said('1', old), opened('fork', 'B')], 'A', ['1']],
  ['after a handover, the new one', [created(), opened('fork', 'F'), said('1'), opened('new', 'N'), started('N'), said('2')], 'N', ['2']],
  ['before anything started, none', [created()], undefined, []],
];
for (const [title, events, agentSessionId, ids] of cases) {
  test(`the conversation that a session continues: ${title}`, () => {
    const conversation = conversationUpTo(numbered(events));
    expect(conversation?.agentSessionId).toBe(agentSessionId);
    expect(conversation?.messages.map((message) => message.id) ?? []).toEqual(ids);
  });
}

const messages: readonly (readonly [string, object, string | undefined])[] = [
  ['a message from a person, by the id it was sent with', { type: 'user.message', itemId: 'i' as ItemId }, 'i'],
  ['an answer', said('a'), 'a'],
  ['a result of a tool', { type: 'tool.completed', uuid: 't' }, 't'],
  ['a call that has no result yet', { type: 'tool.started', uuid: 't' }, undefined],
  ['a result that the agent never returned', { type: 'tool.completed', uuid: 't', closedBy: 'the agent is gone' }, undefined],
  ['what a subagent said', said('s', { parentToolUseId: 'tool' }), undefined],
];
for (const [title, event, id] of messages) {
  test(`${title} is ${id === undefined ? 'not a message' : 'a message'} to continue after`, () => expect(messageIdOf(numbered([event])[0] as Event)).toBe(id));
}
