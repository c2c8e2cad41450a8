import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model/model.ts';
import { spawnScriptedModel } from '../support/scripted-model/spawn.ts';

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel();
});
afterEach(() => model.close());

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = { role: 'assistant', content: [{ type: 'text', text: 'ok' }] };

const post = (messages: readonly object[], options: { stream?: boolean; session?: string; url?: string } = {}): Promise<Response> =>
  fetch(`${options.url ?? model.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-claude-code-session-id': options.session ?? 's1' },
    body: JSON.stringify({ model: 'm', messages, tools: [{ name: 'Bash' }], ...(options.stream ? { stream: true } : {}) }),
  });

const events = (sse: string): string[] => [...sse.matchAll(/^event: (.*)$/gm)].map((match) => match[1] ?? '');
const streamedText = (sse: string): string => [...sse.matchAll(/"text_delta","text":"([^"]*)"/g)].map((match) => match[1]).join('');

test('a prompt without a keyword gets an answer that repeats it', async () => {
  const body = await (await post([user('<system-reminder>@BASH no</system-reminder> good morning')])).json();
  expect(body).toMatchObject({ type: 'message', stop_reason: 'end_turn', content: [{ type: 'text', text: 'Plain answer to: good morning' }] });
});

test('a streamed answer has the same order of events as the API', async () => {
  const sse = await (await post([user('@PLAIN hi')], { stream: true })).text();
  expect([...new Set(events(sse))]).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(streamedText(sse)).toBe('Plain answer to: hi');
});

test('a scenario advances with the assistant messages after its keyword', async () => {
  const first = await (await post([user('@BASH ls')])).json();
  const second = await (await post([user('@BASH ls'), assistant, { role: 'user', content: [{ type: 'tool_result' }] }])).json();
  expect(first).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] });
  expect(second).toMatchObject({ content: [{ text: 'Ran it.' }] });
});

test('the last keyword wins, and the same conversation in two sessions has different ids', async () => {
  const one = await (await post([user('@BASH ls'), assistant, user('@THINK why')], { session: 'a' })).json();
  const two = await (await post([user('@BASH ls'), assistant, user('@THINK why')], { session: 'b' })).json();
  expect(one).toMatchObject({ content: [{ type: 'thinking' }, { text: 'Thought about: why' }] });
  expect(one.id).not.toBe(two.id);
  expect(model.requests.map((request) => request.sessionId)).toEqual(['a', 'b']);
});

test('pieces of a slow answer wait at the gate until the test releases them', async () => {
  const reader = (await post([user('@SLOW g 3')], { stream: true })).body!.pipeThrough(new TextDecoderStream()).getReader();
  let sse = '';
  const readUntil = async (text: string) => {
    while (!sse.includes(text)) sse += (await reader.read()).value;
  };
  await model.gate('g').arrived(1);
  model.gate('g').release(1);
  await readUntil('piece1');
  await model.gate('g').arrived(2);
  expect(sse).not.toContain('piece2');
  model.gate('g').open();
  await readUntil('message_stop');
  expect(streamedText(sse)).toBe('piece1 piece2 piece3');
});

test('a fault with a number happens that many times', async () => {
  expect((await post([user('@ERROR429 1')])).status).toBe(429);
  expect((await post([user('@ERROR429 1')])).status).toBe(200);
});

test('a dropped stream breaks off, and after a stream error a request without streaming is answered', async () => {
  await expect(post([user('@DROP')], { stream: true }).then((response) => response.text())).rejects.toThrow();
  const broken = await (await post([user('@STREAMERR')], { stream: true })).text();
  expect(events(broken).at(-1)).toBe('error');
  expect(await (await post([user('@STREAMERR')])).json()).toMatchObject({ content: [{ text: 'Answered without streaming.' }] });
});

test('the small endpoints answer, and anything else is 404', async () => {
  expect((await fetch(model.url, { method: 'HEAD' })).status).toBe(200);
  expect(await (await fetch(`${model.url}/v1/messages/count_tokens`, { method: 'POST', body: 'x'.repeat(400) })).json()).toEqual({ input_tokens: 100 });
  expect((await fetch(`${model.url}/v1/other`)).status).toBe(404);
});

test('waitFor finds past and future requests, and lists the requests when none matches', async () => {
  const future = model.waitFor((request) => request.scene?.argument === 'later');
  await post([user('@PLAIN later')]);
  expect((await future).number).toBe(1);
  expect((await model.waitFor((request) => request.number === 1)).scene?.keyword).toBe('PLAIN');
  await expect(model.waitFor(() => false, 1)).rejects.toThrow('it got 1: @PLAIN step 0');
});

test('a model in its own process is controlled over HTTP', async () => {
  const own = await spawnScriptedModel();
  try {
    const answer = post([user('@UNTIL door')], { url: own.url });
    await own.arrived('door', 1);
    await own.open('door');
    expect(await (await answer).json()).toMatchObject({ content: [{ text: 'The gate door is open.' }] });
    expect(await own.requests()).toHaveLength(1);
  } finally {
    await own.close();
  }
});
