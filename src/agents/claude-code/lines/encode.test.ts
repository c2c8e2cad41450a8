import { expect, test } from 'vitest';
import type { CommandId } from '../../../protocol/ids.ts';
import type { SendIntent, Verdict } from '../../port/adapter.ts';
import { translate } from '../translate.ts';
import { encode, handshake, inputId } from './encode.ts';
import { initial } from './state.ts';

const UUID = '11111111-1111-4111-8111-111111111111' as CommandId;
const input = { kind: 'input', commandId: UUID, text: 'hi', images: [], steer: false } as const;
const sent = (intent: SendIntent, state = initial()) => encode(intent, state).map((line) => JSON.parse(line));

test('an input is one user line with our uuid, and waits for its own turn', () => {
  expect(sent(input)).toEqual([{ type: 'user', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null, uuid: UUID, priority: 'later' }]);
});

test('[R98] a steering input joins the running turn and kills nothing', () => {
  expect(sent({ ...input, steer: true })).toMatchObject([{ priority: 'next' }]);
});

test('images come before the text, as base64 blocks', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
  expect(sent({ ...input, images: [{ mediaType: 'image/png', base64: 'AAAA' }] })).toMatchObject([
    { message: { content: [image, { type: 'text', text: 'hi' }] } },
  ]);
});

test('half a surrogate pair is replaced, a complete one is not', () => {
  expect(sent({ ...input, text: 'a\ud800b\u{1f682}' })).toMatchObject([{ message: { content: 'a\uFFFDb\u{1f682}' } }]);
});

test('a command id that is not a UUID always maps to the same UUID, and another id to another one', () => {
  const made = inputId('a' as CommandId);
  expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(inputId('a' as CommandId)).toBe(made);
  expect(inputId('b' as CommandId)).not.toBe(made);
  expect(inputId(UUID)).toBe(UUID);
});

test('the id of an interrupt says what it is, and so does the answer', () => {
  expect(sent({ kind: 'interrupt', requestId: 'c1' })).toEqual([{ type: 'control_request', request_id: 'interrupt:c1', request: { subtype: 'interrupt' } }]);
  const reply = '{"type":"control_response","response":{"subtype":"success","request_id":"interrupt:c1"}}';
  expect(translate(initial(), reply).observations).toEqual([{ type: 'reply', to: 'interrupt:c1', ok: true }]);
});

test('the handshake is a single request', () => {
  expect(handshake({ options: {} }).map((line) => JSON.parse(line))).toEqual([
    { type: 'control_request', request_id: 'init:1', request: { subtype: 'initialize' } },
  ]);
});

const answers: readonly (readonly [string, Verdict, object])[] = [
  ['allow sends the input back, because 2.1.197 requires it', { behavior: 'allow' }, { behavior: 'allow', updatedInput: { a: 1 } }],
  ['allow with a changed input sends the changed input', { behavior: 'allow', updatedInput: { a: 2 } }, { behavior: 'allow', updatedInput: { a: 2 } }],
  [
    'allow with remembered permissions sends them',
    { behavior: 'allow', granted: { suggestions: [{ type: 'addRules', destination: 'localSettings' }], forSession: false } },
    { behavior: 'allow', updatedInput: { a: 1 }, updatedPermissions: [{ type: 'addRules', destination: 'localSettings' }] },
  ],
  [
    'permissions granted for the session are limited to it',
    { behavior: 'allow', granted: { suggestions: [{ type: 'addRules', destination: 'localSettings' }], forSession: true } },
    { behavior: 'allow', updatedInput: { a: 1 }, updatedPermissions: [{ type: 'addRules', destination: 'session' }] },
  ],
  [
    'answers are added to the input, several choices as one text',
    { behavior: 'allow', answers: { Colour: 'Blue', Sizes: ['S', 'M'] } },
    { behavior: 'allow', updatedInput: { a: 1, answers: { Colour: 'Blue', Sizes: 'S, M' } } },
  ],
  [
    'a plan is approved with the mode to continue in',
    { behavior: 'allow', mode: 'acceptEdits' },
    { behavior: 'allow', updatedInput: { a: 1 }, updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
  ],
  ['deny sends its message', { behavior: 'deny', message: 'no', interrupt: false }, { behavior: 'deny', message: 'no' }],
  [
    'deny has a message even when nobody wrote one',
    { behavior: 'deny', message: '', interrupt: true },
    { behavior: 'deny', message: 'Denied by the user.', interrupt: true },
  ],
];
for (const [title, verdict, response] of answers) {
  test(title, () => {
    expect(sent({ kind: 'answer', agentRequestId: 'r1', input: { a: 1 }, verdict })).toEqual([
      { type: 'control_response', response: { subtype: 'success', request_id: 'r1', response } },
    ]);
  });
}

test('an approved plan is not sent back, because the CLI would treat it as edited', () => {
  const asked = { type: 'control_request', request_id: 'p1', request: { subtype: 'can_use_tool', tool_name: 'ExitPlanMode', input: { plan: 'do it' } } };
  const { state } = translate(initial(), JSON.stringify(asked));
  const answer = { kind: 'answer', agentRequestId: 'p1', input: { plan: 'do it' }, verdict: { behavior: 'allow' } } as const;
  expect(sent(answer, state)).toMatchObject([{ response: { response: { behavior: 'allow', updatedInput: {} } } }]);
  expect(sent({ ...answer, agentRequestId: 'other' }, state)).toMatchObject([{ response: { response: { updatedInput: { plan: 'do it' } } } }]);
});
