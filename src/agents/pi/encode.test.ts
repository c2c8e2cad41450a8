import { expect, test } from 'vitest';
import type { CommandId } from '../../protocol/ids.ts';
import type { SendIntent } from '../port/adapter.ts';
import { encode, handshake } from './encode.ts';
import { initial, type State } from './state.ts';

const commandId = 'c1' as CommandId;
const input = (text: string, more: Partial<Extract<SendIntent, { kind: 'input' }>> = {}): SendIntent => ({
  kind: 'input',
  commandId,
  text,
  images: [],
  steer: false,
  ...more,
});
const lines = (intent: SendIntent, state: Partial<State> = {}) =>
  encode(intent, { ...initial(), ...state }).map((line) => JSON.parse(line) as Record<string, unknown>);
const requests = (intent: SendIntent) => lines(intent).map(({ id: _, ...line }) => line);

test("a message follows its id, which our extension writes into Pi's file", () => {
  expect(requests(input('hello'))).toEqual([
    { type: 'prompt', message: '/signalbox input c1' },
    { type: 'prompt', message: 'hello', streamingBehavior: 'followUp' },
  ]);
});

test('a steering message is sent the same way, so that an agent that just became idle starts a turn with it', () => {
  expect(requests(input('hello', { steer: true })).at(-1)).toEqual({ type: 'prompt', message: 'hello', streamingBehavior: 'steer' });
});

test('images are included', () => {
  const image = { mediaType: 'image/png', base64: 'AAAA' };
  expect(requests(input('look', { images: [image] })).at(-1)).toMatchObject({ images: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] });
});

const directCommands = [
  ['!ls -l', { type: 'bash', command: 'ls -l' }],
  ['! git status', { type: 'bash', command: 'git status' }],
  ['/compact', { type: 'compact' }],
  ['/compact keep the names', { type: 'compact', customInstructions: 'keep the names' }],
] as const;
for (const [text, request] of directCommands) {
  test(`Pi runs "${text}" without the model`, () => expect(requests(input(text)).at(-1)).toEqual(request));
}

const words = ['!', '!important\nplease read', '!!', 'wow!', '/compactor', 'a /compact'];
for (const text of words) {
  test(`${JSON.stringify(text)} is a message`, () => expect(requests(input(text)).at(-1)).toMatchObject({ type: 'prompt', message: text }));
}

test('a message cannot control our extension', () => {
  expect(requests(input('/signalbox mode bypassPermissions')).at(-1)).toMatchObject({ message: ' /signalbox mode bypassPermissions' });
});

test('an interrupt closes the dialogs that Pi would wait for, after the abort', () => {
  expect(lines({ kind: 'interrupt', requestId: 'i1' }, { dialogs: ['d1'] })).toEqual([
    { id: 'interrupt:i1', type: 'abort' },
    { type: 'extension_ui_response', id: 'd1', cancelled: true },
  ]);
});

test('an interrupt clears accepted inputs that were not taken, and ends a shell command', () => {
  const types = lines({ kind: 'interrupt', requestId: 'i1' }, { inputs: ['c2'], errand: 'c1' }).map(({ type }) => type);
  expect(types).toEqual(['clear_queue', 'abort_bash', 'abort']);
});

const answer = (agentRequestId: string, verdict: Extract<SendIntent, { kind: 'answer' }>['verdict']) =>
  lines({ kind: 'answer', agentRequestId, input: { command: 'ls' }, verdict });

test('an approval is sent to our extension with the arguments as the person edited them', () => {
  expect(answer('gate:d1', { behavior: 'allow' })).toEqual([{ type: 'extension_ui_response', id: 'd1', value: '{"behavior":"allow"}' }]);
  const [changed] = answer('gate:d1', { behavior: 'allow', updatedInput: { command: 'pwd' } });
  expect(JSON.parse(String(changed?.value))).toEqual({ behavior: 'allow', input: { command: 'pwd' } });
});

test('a denial carries its reason, and stops the turn if requested', () => {
  const [stop, denied] = answer('gate:d1', { behavior: 'deny', message: 'not here', interrupt: true });
  expect(stop).toMatchObject({ type: 'abort' });
  expect(JSON.parse(String(denied?.value))).toEqual({ behavior: 'deny', message: 'not here' });
});

const forms = [
  ['select:d1', { value: 'Blue' }],
  ['input:d1', { value: 'Blue' }],
  ['confirm:d1', { confirmed: false }],
] as const;
for (const [id, expected] of forms) {
  test(`an answer to ${id} has the form that this kind of dialog needs`, () => {
    expect(answer(id, { behavior: 'allow', answers: { Which: 'Blue' } })).toEqual([{ type: 'extension_ui_response', id: 'd1', ...expected }]);
    expect(answer(id, { behavior: 'deny', message: '', interrupt: false })).toEqual([{ type: 'extension_ui_response', id: 'd1', cancelled: true }]);
  });
}

test('a model is named with its provider; the current provider is the default', () => {
  const set = (value: string) => lines({ kind: 'set', commandId, setting: 'model', value }, { provider: 'local' })[0];
  expect(set('openrouter/some/model')).toMatchObject({ type: 'set_model', provider: 'openrouter', modelId: 'some/model' });
  expect(set('small')).toMatchObject({ type: 'set_model', provider: 'local', modelId: 'small' });
});

test("the handshake asks for Pi's state, in a request that names the folder", () => {
  const last = JSON.parse(handshake({ cwd: '/work', options: {}, mode: 'new', agentSessionId: 'x' }).at(-1) ?? '') as Record<string, unknown>;
  expect(last).toEqual({ id: '{"for":"hello","cwd":"/work"}', type: 'get_state' });
});
