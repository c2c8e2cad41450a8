import { expect, test } from 'vitest';
import type { Observation } from '../../protocol/observation.ts';
import { idOf } from './request-id.ts';
import { initial, type State } from './state.ts';
import { translate } from './translate.ts';

/** Observations from these lines, and the requests they cause. */
function read(lines: readonly object[], from: State = initial()): { observed: readonly Observation[]; asked: readonly string[]; state: State } {
  let state = from;
  const [observed, asked]: [Observation[], string[]] = [[], []];
  for (const line of lines) {
    const step = translate(state, JSON.stringify(line));
    state = step.state;
    observed.push(...step.observations);
    asked.push(...step.replies.map((reply) => String((JSON.parse(reply) as { type: string }).type)));
  }
  return { observed, asked, state };
}

const types = (observations: readonly Observation[]) => observations.map(({ type }) => type);
const rest = { isStreaming: false, isCompacting: false, sessionId: 's1' };
const response = (id: string, command: string, more: object = {}) => ({ id, type: 'response', command, success: true, ...more });
const settled = response(idOf({ for: 'settle' }), 'get_state', { data: rest });
const answered = { type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text: 'hi' }], stopReason: 'stop', timestamp: 5 } };
const failed = { type: 'message_end', message: { role: 'assistant', content: [], stopReason: 'error', errorMessage: 'busy', timestamp: 6 } };
const start = { type: 'agent_start' };
const oldEnd = { type: 'agent_end', messages: [] };

test('a version that reports when it has settled ends the turn with that event', () => {
  const { observed, asked } = read([start, answered, { type: 'agent_end', messages: [], willRetry: false }, { type: 'agent_settled' }]);
  expect(types(observed)).toEqual(['turn.began', 'assistant.text', 'turn.ended']);
  expect(asked).toEqual([]);
});

test('an older version is asked whether it is idle', () => {
  const { observed, asked } = read([start, answered, oldEnd, settled]);
  expect(types(observed)).toEqual(['turn.began', 'assistant.text', 'turn.ended']);
  expect(asked).toEqual(['get_state']);
});

test('when an older version is delayed after its end, our extension waits, and we ask again', () => {
  const working = response(idOf({ for: 'settle' }), 'get_state', { data: { ...rest, isStreaming: true } });
  const idle = response(idOf({ for: 'settle' }), 'prompt');
  const { observed, asked } = read([start, answered, oldEnd, working, idle, settled]);
  expect(types(observed)).toEqual(['turn.began', 'assistant.text', 'turn.ended']);
  expect(asked).toEqual(['get_state', 'prompt', 'get_state']);
});

test('a retry or a compaction belongs to the turn it follows', () => {
  const retry = { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, delayMs: 10, errorMessage: 'busy' };
  const compaction = [
    { type: 'compaction_start', reason: 'threshold' },
    { type: 'compaction_end', reason: 'threshold', result: { tokensBefore: 9 }, aborted: false },
  ];
  const { observed, asked } = read([
    start,
    failed,
    oldEnd,
    retry,
    settled,
    start,
    answered,
    oldEnd,
    ...compaction.slice(0, 1),
    settled,
    ...compaction.slice(1),
    settled,
  ]);
  expect(types(observed)).toEqual(['turn.began', 'retry.reported', 'assistant.text', 'context.compacted', 'turn.ended']);
  expect(asked).toEqual(['get_state', 'get_state', 'get_state']);
});

test('a retry that gives up ends the turn as an error', () => {
  const { observed } = read([
    start,
    failed,
    oldEnd,
    { type: 'auto_retry_start', attempt: 3, errorMessage: 'busy' },
    { type: 'auto_retry_end', success: false },
    settled,
  ]);
  expect(observed.at(-1)).toMatchObject({ type: 'turn.ended', isError: true, errors: ['busy'] });
});

test('messages are taken in the order they were accepted', () => {
  const accepted = (inputId: string) => response(idOf({ for: 'input', inputId, isSlash: false }), 'prompt');
  const echo = { type: 'message_start', message: { role: 'user', content: 'whatever it was expanded to' } };
  const { observed } = read([accepted('a'), start, echo, accepted('b'), echo, echo]);
  expect(observed.filter(({ type }) => type === 'input.taken')).toEqual([
    { type: 'input.taken', inputId: 'a' },
    { type: 'input.taken', inputId: 'b' },
  ]);
  expect(observed.at(-1)).toMatchObject({ type: 'user.message', origin: 'agent' });
});

test('a refused message is dropped with the reason', () => {
  const refusal = { ...response(idOf({ for: 'input', inputId: 'a', isSlash: false }), 'prompt'), success: false, error: 'No API key' };
  expect(read([refusal]).observed).toEqual([{ type: 'input.dropped', inputId: 'a', reason: 'No API key' }]);
});

test('a slash command that runs without the model is a turn without text', () => {
  const accepted = response(idOf({ for: 'input', inputId: 'a', isSlash: true }), 'prompt');
  const { observed, asked } = read([accepted, response(idOf({ for: 'slash', inputId: 'a' }), 'get_state', { data: rest })]);
  expect(asked).toEqual(['get_state']);
  expect(types(observed)).toEqual(['turn.began', 'input.taken', 'turn.ended']);
});

test('the complete message after a delta is not parsed', () => {
  const open = read([start, { type: 'message_start', message: { role: 'assistant', content: [], timestamp: 5 } }]).state;
  const { state } = read([{ type: 'message_update', assistantMessageEvent: { type: 'text_start', contentIndex: 0 } }], open);
  const line = '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"say \\"hi\\"","partial":never read}}';
  expect(translate(state, line).observations).toMatchObject([{ type: 'delta', text: 'say "hi"', offset: 0, itemId: 'm5:0' }]);
});

test('calls of an interrupted answer are not reported as started', () => {
  const call = { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: 'ls' } };
  const cut = { type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text: 'I will' }, call], stopReason: 'aborted', timestamp: 5 } };
  expect(read([start, cut]).observed.slice(1)).toMatchObject([{ type: 'assistant.text', text: 'I will', interrupted: true }]);
});

test('two messages of the same millisecond have different ids', () => {
  const { observed } = read([start, answered, answered]);
  expect(observed.flatMap((one) => ('messageId' in one ? [one.messageId] : []))).toEqual(['m5', 'm5.']);
});

test('a session without our extension, or with approvals switched off, says so', () => {
  const hello = response(idOf({ for: 'hello', cwd: '/work' }), 'get_state', { data: rest });
  const gate = (mode: string) => ({
    type: 'extension_ui_request',
    id: 'd0',
    method: 'setStatus',
    statusKey: 'signalbox',
    statusText: JSON.stringify({ mode, tools: ['bash'], version: '0.73.1' }),
  });
  const warning = { type: 'notice.shown', level: 'warning', text: expect.stringContaining('Approvals are off') };
  expect(read([hello]).observed).toContainEqual(warning);
  expect(read([gate('bypassPermissions'), hello]).observed).toContainEqual(warning);
  expect(types(read([gate('default'), hello]).observed)).toEqual(['agent.ready']);
});

test("a dialog of a person's own extension is a question", () => {
  const { observed, state } = read([{ type: 'extension_ui_request', id: 'd1', method: 'confirm', title: 'Really?', message: 'It is gone then.' }]);
  expect(observed).toMatchObject([
    { type: 'permission.asked', agentRequestId: 'confirm:d1', kind: 'question', input: { questions: [{ options: [{ label: 'Yes' }, { label: 'No' }] }] } },
  ]);
  expect(state.dialogs).toEqual(['d1']);
});

test('a thinking level that the model lacks is refused, with the level it uses instead', () => {
  const id = idOf({ for: 'set', commandId: 'c1' as never, setting: 'thinking', value: 'max' });
  const { observed } = read([{ type: 'thinking_level_changed', level: 'high' }, response(id, 'set_thinking_level')]);
  expect(observed).toMatchObject([
    { type: 'thinking.changed', thinking: 'high' },
    { type: 'setting.refused', commandId: 'c1', reason: expect.stringContaining('high') },
  ]);
});

test('a message of an unknown role or shape is kept as unrecognized, and one that other lines report is not', () => {
  const message = (type: string, part: object) => ({ type, message: { role: 'toolResult', toolCallId: 't', toolName: 'bash', content: [], ...part } });
  for (const line of [
    message('message_end', { role: 'oracle' }),
    message('message_end', { toolName: ['bash'] }),
    message('message_start', { role: 'oracle' }),
  ]) {
    expect(types(read([line]).observed)).toEqual(['unrecognised']);
  }
  expect(read([message('message_start', {}), message('message_end', { role: 'system' })]).observed).toEqual([]);
});
