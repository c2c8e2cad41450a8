import { expect, test } from 'vitest';
import type { Observation } from '../../protocol/observation.ts';
import { encode } from './lines/encode.ts';
import type { State } from './lines/state.ts';
import { initial } from './lines/state.ts';
import { translate } from './translate.ts';

/** Folds lines written as objects and returns the observations of the last `take` lines. */
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

test('a half-streamed block is dropped when another message starts', () => {
  const observed = read([start('a'), open(0, text('')), piece(0, 'hal'), start('b')], 1);
  expect(observed).toEqual([{ type: 'delta.dropped', itemId: 'a:0' }]);
});

test('a half-streamed block is dropped when the finished message has another id', () => {
  const observed = read([start('a'), open(0, text('')), piece(0, 'hal'), assistant('b', text('whole'))], 1);
  expect(observed).toMatchObject([
    { type: 'delta.dropped', itemId: 'a:0' },
    { type: 'assistant.text', itemId: 'b:0' },
  ]);
});

test('a half-streamed block is dropped at the end of the turn', () => {
  const observed = read([init(), start('a'), open(0, text('')), piece(0, 'hal'), result()], 1);
  expect(observed).toMatchObject([{ type: 'delta.dropped', itemId: 'a:0' }, { type: 'turn.ended' }]);
});

test("a subagent's output in between drops nothing from the main thread", () => {
  const lines = [start('a'), open(0, text('')), piece(0, 'hal'), assistant('x', text('sub'), { parent_tool_use_id: 'tool' }), piece(0, 'ves')];
  expect(read(lines, 2)).toMatchObject([
    { type: 'assistant.text', itemId: 'x:0', parentItemId: 'tool', parentToolUseId: 'tool' },
    { type: 'delta', itemId: 'a:0', text: 'ves', offset: 3 },
  ]);
});

test('finished blocks keep the ids they were streamed with, even when an empty one never arrived', () => {
  const lines = [start('a'), open(0, text('')), open(1, text('')), piece(1, 'hello'), assistant('a', text('hello'))];
  expect(read(lines, 1)).toMatchObject([{ type: 'assistant.text', itemId: 'a:1', index: 1 }]);
});

test('blocks that were not streamed are counted', () => {
  const observed = read([assistant('a', text('one')), assistant('a', text('two')), assistant('b', text('three'))]);
  expect(observed.map((observation) => 'itemId' in observation && observation.itemId)).toEqual(['a:0', 'a:1', 'b:0']);
});

test("the API's own tools start and complete inside the message", () => {
  const search = { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: { query: 'q' } };
  const found = { type: 'web_search_tool_result', tool_use_id: 'srv1', content: [{ type: 'web_search_result', url: 'u' }] };
  expect(read([assistant('a', search), assistant('a', found)])).toMatchObject([
    { type: 'tool.started', itemId: 'srv1', name: 'web_search' },
    { type: 'tool.completed', itemId: 'srv1:result', output: '{"type":"web_search_result","url":"u"}' },
  ]);
});

test('redacted thinking is reported without its text, and an unknown block is kept', () => {
  expect(read([assistant('a', { type: 'redacted_thinking', data: 'x' })])).toMatchObject([{ type: 'assistant.thinking', text: '' }]);
  expect(read([assistant('a', { type: 'hologram' })])).toMatchObject([{ type: 'unrecognised', raw: '{"type":"hologram"}' }]);
});

test('the cost of a turn is the difference between totals, and a total that went down starts again from zero', () => {
  const costs = [0.1, 0.3, 0.05].flatMap((total) => [init(), result({ total_cost_usd: total })]);
  expect(read(costs).flatMap((observed) => (observed.type === 'turn.ended' ? [observed.costUsd] : []))).toEqual([0.1, 0.2, 0.05]);
});

test('a cost per turn is used as it is, in versions that have it', () => {
  const own = { total_cost_usd: 5, model_usage_since_last_result: { a: { costUSD: 0.25 }, b: { costUSD: 0.5 } } };
  expect(read([init(), result(own)], 1)).toMatchObject([{ type: 'turn.ended', costUsd: 0.75 }]);
});

test("the context size is that of the main thread's last message", () => {
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 30, cache_creation_input_tokens: 400 };
  const main = { type: 'assistant', message: { id: 'a', content: [text('x')], usage }, parent_tool_use_id: null };
  const sub = { ...main, message: { ...main.message, id: 'b', usage: { input_tokens: 9 } }, parent_tool_use_id: 't' };
  const observed = read([init(), main, sub, result({ modelUsage: { other: { contextWindow: 5 }, m: { contextWindow: 200_000 } } })], 1);
  expect(observed).toMatchObject([{ contextTokens: 433, contextWindow: 200_000 }]);
});

test('the session is described once, and again when something changed', () => {
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

test('an input canceled before it started is dropped, one that had started is not', () => {
  const moved = (state: string) => ({ type: 'command_lifecycle', command_uuid: 'u', state });
  expect(read([moved('queued'), moved('cancelled')])).toMatchObject([{ type: 'input.dropped', inputId: 'u' }]);
  expect(read([moved('started'), moved('cancelled')])).toEqual([{ type: 'input.taken', inputId: 'u' }]);
});

test('text cut short by an interrupt says so', () => {
  const yes = { type: 'control_response', response: { subtype: 'success', request_id: 'interrupt:1' } };
  expect(read([init(), yes, assistant('a', text('cut'))], 1)).toMatchObject([{ type: 'assistant.text', interrupted: true }]);
  expect(read([init(), yes, result(), init(), assistant('a', text('whole'))], 1)[0]).not.toHaveProperty('interrupted');
});

test('the echo of our answer is not a reply from the CLI', () => {
  const asked = { type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool', tool_name: 'Write', input: {} } };
  const echo = { type: 'control_response', response: { subtype: 'success', request_id: 'r', response: { behavior: 'allow', updatedInput: {} } } };
  expect(read([asked, echo], 1)).toEqual([]);
});

test('an unsupported request is refused immediately, so that the turn continues', () => {
  const step = translate(initial(), '{"type":"control_request","request_id":"r","request":{"subtype":"elicitation"}}');
  expect(step.observations).toMatchObject([{ type: 'unrecognised' }]);
  expect(step.replies.map((line) => JSON.parse(line))).toMatchObject([{ type: 'control_response', response: { subtype: 'error', request_id: 'r' } }]);
});

test('a limit is reported with its reset time and details', () => {
  const limit = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_800_000_000, overageStatus: 'allowed' };
  expect(read([{ type: 'rate_limit_event', rate_limit_info: limit }])).toEqual([
    { type: 'limit.reported', status: 'rejected', kind: 'five_hour', resetsAt: '2027-01-15T08:00:00.000Z', overage: { overageStatus: 'allowed' } },
  ]);
});

test('an invalid date does not throw', () => {
  const observed = read([{ type: 'rate_limit_event', rate_limit_info: { status: 'allowed', resetsAt: 1e300 } }]);
  expect(observed).toMatchObject([{ type: 'unrecognised' }]);
});

test('a fallback from an overloaded model is reported, and so is the switch back', () => {
  const fallback = { type: 'system', subtype: 'model_fallback', fallback_model: 'small', content: 'Switched to small due to high demand' };
  const observed = read([init(), fallback, result(), init()], 3).filter((one) => one.type === 'model.changed');
  expect(observed).toMatchObject([{ model: 'small', reason: 'Switched to small due to high demand' }, { model: 'm' }]);
  expect(read([init(), fallback, result(), init({ model: 'small' })], 1)).toEqual([{ type: 'turn.began', cause: 'input' }]);
});

test('a failed compaction is reported with its reason', () => {
  const failed = { type: 'system', subtype: 'status', status: null, compact_result: 'failed', compact_error: 'too_few_groups' };
  expect(read([init(), failed], 1)).toMatchObject([{ type: 'context.compacted', trigger: 'auto', failed: 'too_few_groups' }]);
});

test('an image in a tool result is kept next to its text', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
  const block = { type: 'tool_result', tool_use_id: 't', content: [text('see'), image] };
  expect(read([{ type: 'user', message: { content: [block] } }])).toMatchObject([
    { type: 'tool.completed', output: 'see', rawImages: [{ mediaType: 'image/png', base64: 'AAAA' }] },
  ]);
});

test('a very long unknown line is truncated', () => {
  const [observed] = translate(initial(), `{"type":"new","x":"${'x'.repeat(100_000)}"}`).observations;
  expect(observed).toMatchObject({ type: 'unrecognised', reason: 'a line of an unknown kind: new' });
  expect(observed?.type === 'unrecognised' && observed.raw.length).toBe(64 * 1024);
});

test('commits, pushes and pull requests are reported, with the address of the pull request', () => {
  const system = (subtype: string, part: object) => ({ type: 'system', subtype, uuid: 'u', ...part });
  const change = { provider: 'github', url: 'https://github.com/acme/shop/pull/42', repo: 'acme/shop', identifier: '42' };
  expect(
    read([
      system('vcs_state_changed', { kind: 'commit', branch: 'main', cwd: '/p' }),
      system('vcs_state_changed', { kind: 'something-new' }),
      system('code_change_published', { ...change, action: 'created', branch: 'cart' }),
      system('code_change_published', change),
    ]),
  ).toEqual([
    { type: 'vcs.reported', action: 'commit', branch: 'main', cwd: '/p', uuid: 'u' },
    { type: 'vcs.reported', action: 'something-new', uuid: 'u' },
    { type: 'vcs.reported', action: 'created', branch: 'cart', published: change, uuid: 'u' },
    { type: 'vcs.reported', action: 'published', published: change, uuid: 'u' },
  ]);
});

test('a name given in the CLI is reported as a title', () => {
  expect(read([{ type: 'system', subtype: 'session_title_changed', title: 'Shop cart' }])).toEqual([
    { type: 'title.reported', title: 'Shop cart', named: true },
  ]);
});

test('a dialog that we cannot display waits for a person, and any answer dismisses it', () => {
  const dialog = {
    type: 'control_request',
    request_id: 'd',
    request: { subtype: 'request_user_dialog', dialog_kind: 'refusal_fallback_prompt', payload: { a: 1 } },
  };
  const step = translate(initial(), JSON.stringify(dialog));
  expect(step).toMatchObject({
    observations: [{ type: 'permission.asked', kind: 'question', tool: 'refusal_fallback_prompt', input: { dialog: { a: 1 } } }],
    replies: [],
  });
  const verdict = { behavior: 'allow', answers: {} } as const;
  const [line] = encode({ kind: 'answer', agentRequestId: 'd', input: {}, verdict }, step.state);
  expect(JSON.parse(line ?? '')).toEqual({ type: 'control_response', response: { subtype: 'success', request_id: 'd', response: { behavior: 'cancelled' } } });
});

test('a context size that is no number of tokens is not reported as one', () => {
  const odd = (input_tokens: number) => ({ type: 'assistant', message: { id: 'a', content: [text('x')], usage: { input_tokens } }, parent_tool_use_id: null });
  for (const [given, reported] of [
    [1.5, 2],
    [-3, 0],
    [1e308, 0],
  ] as const)
    expect(read([init(), odd(given), result()], 1)).toMatchObject([{ contextTokens: reported }]);
});
