import { expect, test } from 'vitest';
import type { Observation } from '../../protocol/observation.ts';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { translate } from './translate.ts';

/** Folds lines written as objects and gives what the last `take` of them told. */
function read(lines: readonly object[], take = lines.length): readonly Observation[] {
  let state: State = initial();
  return lines.flatMap((line, index) => {
    const step = translate(state, JSON.stringify(line));
    state = step.state;
    return index >= lines.length - take ? step.observations : [];
  });
}

const init = (part: object = {}) => ({
  type: 'system',
  subtype: 'init',
  ...{ session_id: 's1', cwd: '/p', model: 'm', permissionMode: 'default', tools: [], mcp_servers: [], slash_commands: [], ...part },
});
const result = (part: object = {}) => ({ type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn', total_cost_usd: 0, ...part });
const assistant = (id: string, block: object, part: object = {}) => ({
  type: 'assistant',
  message: { id, content: [block] },
  parent_tool_use_id: null,
  ...part,
});
const streamed = (event: object, parent: string | null = null) => ({ type: 'stream_event', parent_tool_use_id: parent, event });
const start = (id: string) => streamed({ type: 'message_start', message: { id } });
const open = (index: number, block: object) => streamed({ type: 'content_block_start', index, content_block: block });
const piece = (index: number, text: string) => streamed({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
const text = (value: string) => ({ type: 'text', text: value });

test('a half-streamed block is dropped when another message begins', () => {
  const told = read([start('a'), open(0, text('')), piece(0, 'hal'), start('b')], 1);
  expect(told).toEqual([{ type: 'delta.dropped', itemId: 'a:0' }]);
});

test('a half-streamed block is dropped when the finished message has another id', () => {
  const told = read([start('a'), open(0, text('')), piece(0, 'hal'), assistant('b', text('whole'))], 1);
  expect(told).toMatchObject([
    { type: 'delta.dropped', itemId: 'a:0' },
    { type: 'assistant.text', itemId: 'b:0' },
  ]);
});

test('a half-streamed block is dropped at the end of the turn', () => {
  const told = read([init(), start('a'), open(0, text('')), piece(0, 'hal'), result()], 1);
  expect(told).toMatchObject([{ type: 'delta.dropped', itemId: 'a:0' }, { type: 'turn.ended' }]);
});

test('a subagent that speaks meanwhile drops nothing of the main thread', () => {
  const lines = [start('a'), open(0, text('')), piece(0, 'hal'), assistant('x', text('sub'), { parent_tool_use_id: 'tool' }), piece(0, 'ves')];
  expect(read(lines, 2)).toMatchObject([
    { type: 'assistant.text', itemId: 'x:0', parentItemId: 'tool', parentToolUseId: 'tool' },
    { type: 'delta', itemId: 'a:0', text: 'ves', offset: 3 },
  ]);
});

test('finished blocks keep the ids under which they were streamed, even when an empty one never came', () => {
  const lines = [start('a'), open(0, text('')), open(1, text('')), piece(1, 'hello'), assistant('a', text('hello'))];
  expect(read(lines, 1)).toMatchObject([{ type: 'assistant.text', itemId: 'a:1', index: 1 }]);
});

test('blocks that were not streamed are counted', () => {
  const told = read([assistant('a', text('one')), assistant('a', text('two')), assistant('b', text('three'))]);
  expect(told.map((observation) => 'itemId' in observation && observation.itemId)).toEqual(['a:0', 'a:1', 'b:0']);
});

test('tools of the API itself start and complete inside the message', () => {
  const search = { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: { query: 'q' } };
  const found = { type: 'web_search_tool_result', tool_use_id: 'srv1', content: [{ type: 'web_search_result', url: 'u' }] };
  expect(read([assistant('a', search), assistant('a', found)])).toMatchObject([
    { type: 'tool.started', itemId: 'srv1', name: 'web_search' },
    { type: 'tool.completed', itemId: 'srv1:result', output: '{"type":"web_search_result","url":"u"}' },
  ]);
});

test('hidden thinking is told without its text, and a block never seen is kept', () => {
  expect(read([assistant('a', { type: 'redacted_thinking', data: 'x' })])).toMatchObject([{ type: 'assistant.thinking', text: '' }]);
  expect(read([assistant('a', { type: 'hologram' })])).toMatchObject([{ type: 'unrecognised', raw: '{"type":"hologram"}' }]);
});

test('the cost of a turn is the difference of the totals, and a total that fell starts anew', () => {
  const costs = [0.1, 0.3, 0.05].flatMap((total) => [init(), result({ total_cost_usd: total })]);
  expect(read(costs).flatMap((told) => (told.type === 'turn.ended' ? [told.costUsd] : []))).toEqual([0.1, 0.2, 0.05]);
});

test('a version that gives the cost of the turn itself is believed', () => {
  const own = { total_cost_usd: 5, model_usage_since_last_result: { a: { costUSD: 0.25 }, b: { costUSD: 0.5 } } };
  expect(read([init(), result(own)], 1)).toMatchObject([{ type: 'turn.ended', costUsd: 0.75 }]);
});

test('the context is what the last message of the main thread filled', () => {
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 30, cache_creation_input_tokens: 400 };
  const main = { type: 'assistant', message: { id: 'a', content: [text('x')], usage }, parent_tool_use_id: null };
  const sub = { ...main, message: { ...main.message, id: 'b', usage: { input_tokens: 9 } }, parent_tool_use_id: 't' };
  const told = read([init(), main, sub, result({ modelUsage: { other: { contextWindow: 5 }, m: { contextWindow: 200_000 } } })], 1);
  expect(told).toMatchObject([{ contextTokens: 433, contextWindow: 200_000 }]);
});

test('the session is described once, and again when something in it changed', () => {
  const types = (lines: readonly object[]) => read(lines, 1).map(({ type }) => type);
  expect(types([init()])).toEqual(['session.started', 'turn.began']);
  expect(types([init(), result(), init()])).toEqual(['turn.began']);
  expect(types([init(), result(), init({ session_id: 's2' })])).toEqual(['session.started', 'turn.began']);
  expect(types([init(), result(), init({ mcp_servers: [{ name: 'x', status: 'connected' }] })])).toEqual(['session.started', 'turn.began']);
  expect(types([init(), result(), init({ model: 'm2', permissionMode: 'plan' })])).toEqual(['model.changed', 'mode.changed', 'turn.began']);
});

test('a turn that nobody asked for names its cause', () => {
  const ended = { type: 'system', subtype: 'task_notification', task_id: 't', status: 'completed' };
  expect(read([init(), result(), ended, init()], 1)).toEqual([{ type: 'turn.began', cause: 'task-notification' }]);
  const capabilities = ['msg_lifecycle_v1'];
  expect(read([init({ capabilities }), result(), init({ capabilities })], 1)).toEqual([{ type: 'turn.began', cause: 'agent' }]);
  expect(read([init({ capabilities }), result(), init({ capabilities, user_message_uuids: ['u'] })], 1)).toEqual([{ type: 'turn.began', cause: 'input' }]);
});

test('an input that was cancelled before it began is dropped, one that had begun is not', () => {
  const moved = (state: string) => ({ type: 'command_lifecycle', command_uuid: 'u', state });
  expect(read([moved('queued'), moved('cancelled')])).toMatchObject([{ type: 'input.dropped', inputId: 'u' }]);
  expect(read([moved('started'), moved('cancelled')])).toEqual([{ type: 'input.taken', inputId: 'u' }]);
});

test('text that an interrupt cut short says so', () => {
  const yes = { type: 'control_response', response: { subtype: 'success', request_id: 'interrupt:1' } };
  expect(read([init(), yes, assistant('a', text('cut'))], 1)).toMatchObject([{ type: 'assistant.text', interrupted: true }]);
  expect(read([init(), yes, result(), init(), assistant('a', text('whole'))], 1)[0]).not.toHaveProperty('interrupted');
});

test('the echo of our answer is no reply of the CLI', () => {
  const asked = { type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool', tool_name: 'Write', input: {} } };
  const echo = { type: 'control_response', response: { subtype: 'success', request_id: 'r', response: { behavior: 'allow', updatedInput: {} } } };
  expect(read([asked, echo], 1)).toEqual([]);
});

test('a request that we do not serve is refused at once, so that the turn goes on', () => {
  const step = translate(initial(), '{"type":"control_request","request_id":"r","request":{"subtype":"elicitation"}}');
  expect(step.observations).toMatchObject([{ type: 'unrecognised' }]);
  expect(step.replies.map((line) => JSON.parse(line))).toMatchObject([{ type: 'control_response', response: { subtype: 'error', request_id: 'r' } }]);
});

test('a limit is reported with its time and what is beyond it', () => {
  const limit = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_800_000_000, overageStatus: 'allowed' };
  expect(read([{ type: 'rate_limit_event', rate_limit_info: limit }])).toEqual([
    { type: 'limit.reported', status: 'rejected', kind: 'five_hour', resetsAt: '2027-01-15T08:00:00.000Z', overage: { overageStatus: 'allowed' } },
  ]);
});

test('a date that is none does not throw', () => {
  const told = read([{ type: 'rate_limit_event', rate_limit_info: { status: 'allowed', resetsAt: 1e300 } }]);
  expect(told).toMatchObject([{ type: 'unrecognised' }]);
});

test('a model that stood in for an overloaded one is told, and so is the way back', () => {
  const fallback = { type: 'system', subtype: 'model_fallback', fallback_model: 'small', content: 'Switched to small due to high demand' };
  const told = read([init(), fallback, result(), init()], 3).filter((one) => one.type === 'model.changed');
  expect(told).toMatchObject([{ model: 'small', reason: 'Switched to small due to high demand' }, { model: 'm' }]);
  expect(read([init(), fallback, result(), init({ model: 'small' })], 1)).toEqual([{ type: 'turn.began', cause: 'input' }]);
});

test('a failed compaction is told with its reason', () => {
  const failed = { type: 'system', subtype: 'status', status: null, compact_result: 'failed', compact_error: 'too_few_groups' };
  expect(read([init(), failed], 1)).toMatchObject([{ type: 'context.compacted', trigger: 'auto', failed: 'too_few_groups' }]);
});

test('an image in a tool result is kept beside its text', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
  const block = { type: 'tool_result', tool_use_id: 't', content: [text('see'), image] };
  expect(read([{ type: 'user', message: { content: [block] } }])).toMatchObject([
    { type: 'tool.completed', output: 'see', rawImages: [{ mediaType: 'image/png', base64: 'AAAA' }] },
  ]);
});

test('a very long strange line is cut', () => {
  const [told] = translate(initial(), `{"type":"new","x":"${'x'.repeat(100_000)}"}`).observations;
  expect(told).toMatchObject({ type: 'unrecognised', reason: 'a line of an unknown kind: new' });
  expect(told?.type === 'unrecognised' && told.raw.length).toBe(64 * 1024);
});
