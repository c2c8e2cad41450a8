import { expect, test } from 'vitest';
import type { CommandId } from '../../protocol/ids.ts';
import type { SessionOptions } from '../../protocol/session.ts';
import type { SendIntent, SessionStart, Verdict } from '../port/adapter.ts';
import { encode } from './encode.ts';
import { handshake } from './handshake.ts';
import { unsupportedReason } from './launch.ts';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { translate } from './translate.ts';

const commandId = 'c1' as CommandId;
const open: State = { ...initial(), threadId: 't1' };
const lines = (intent: SendIntent, state: State = open) => encode(intent, state).map((line) => JSON.parse(line));
const input = (text: string, steer = false): SendIntent => ({ kind: 'input', commandId, text, images: [], steer });

test('an input carries our id, which Codex uses in its stream and in its record', () =>
  expect(lines(input('hi'))).toEqual([
    {
      jsonrpc: '2.0',
      id: '{"for":"input","inputId":"c1"}',
      method: 'turn/start',
      params: { threadId: 't1', clientUserMessageId: 'c1', input: [{ type: 'text', text: 'hi', text_elements: [] }] },
    },
  ]));

test('/compact is a separate request, but a steering message is always text', () => {
  expect(lines(input('/compact'))).toMatchObject([{ method: 'thread/compact/start', params: { threadId: 't1' } }]);
  expect(lines(input('/compact', true))).toMatchObject([{ method: 'turn/start' }]);
});

const asked = { command: 'touch x' };
const suggestion = { type: 'addRules', amendment: ['touch'] };
const verdicts: readonly (readonly [string, Verdict, unknown])[] = [
  ['an allow', { behavior: 'allow' }, 'accept'],
  ['a denial', { behavior: 'deny', message: 'no', interrupt: false }, 'decline'],
  ['a denial that stops the turn', { behavior: 'deny', message: 'no', interrupt: true }, 'cancel'],
  ['an allow with the same input', { behavior: 'allow', updatedInput: { command: 'touch x' } }, 'accept'],
  ['an allow with another input', { behavior: 'allow', updatedInput: { command: 'rm x' } }, 'decline'],
  ['an allow for the session', { behavior: 'allow', granted: { suggestions: [suggestion], forSession: true } }, 'acceptForSession'],
  [
    'a permanent allow',
    { behavior: 'allow', granted: { suggestions: [suggestion], forSession: false } },
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch'] } },
  ],
];
for (const [name, verdict, decision] of verdicts) {
  test(`${name} is sent in Codex's own form`, () =>
    expect(lines({ kind: 'answer', agentRequestId: '0', input: asked, verdict })).toEqual([{ jsonrpc: '2.0', id: 0, result: { decision } }]));
}

test("an answer to a question is keyed by the question's id", () => {
  const questions = [{ id: 'q1', question: 'Which?', options: [] }];
  const verdict: Verdict = { behavior: 'allow', answers: { 'Which?': 'this' } };
  expect(lines({ kind: 'answer', agentRequestId: '"x"', input: { questions }, verdict })).toMatchObject([
    { id: 'x', result: { answers: { q1: { answers: ['this'] } } } },
  ]);
});

test('a turn that is stopped before it starts is stopped when it starts', () => {
  const [line = ''] = encode({ kind: 'interrupt', requestId: 'i1' }, open);
  const refused = translate(open, JSON.stringify({ id: JSON.parse(line).id, error: { code: -32600, message: 'no active turn' } }));
  const started = translate(refused.state, JSON.stringify({ method: 'turn/started', params: { threadId: 't1', turn: { id: 'turn1' } } }));
  expect(started.replies.map((reply) => JSON.parse(reply))).toMatchObject([{ method: 'turn/interrupt', params: { threadId: 't1', turnId: 'turn1' } }]);
});

test('a thread that cannot be opened is reported, and its inputs are dropped with the reason', () => {
  const opening: SessionStart = { cwd: '/w', options: {}, mode: 'resume', agentSessionId: 'gone' };
  const id = JSON.parse(handshake(opening).at(-1) ?? '').id;
  const closed = translate(initial(), JSON.stringify({ id, error: { code: -32600, message: 'no rollout found' } }));
  expect(closed.observations).toMatchObject([
    { type: 'notice.shown', level: 'error', text: expect.stringContaining('no rollout found') },
    { type: 'agent.ready' },
  ]);
  const [line = ''] = encode(input('hi'), closed.state);
  const back = translate(closed.state, JSON.stringify({ id: JSON.parse(line).id, error: { code: -32600, message: 'bad thread id' } }));
  expect(back.observations).toEqual([{ type: 'input.dropped', inputId: 'c1', reason: 'no rollout found' }]);
});

test("the mode is always sent, so that the person's own settings do not silently decide it", () => {
  const params = (options: SessionStart['options']) => JSON.parse(handshake({ cwd: '/w', options, mode: 'new', agentSessionId: 'x' }).at(-1) ?? '').params;
  expect(params({})).toEqual({ cwd: '/w', approvalPolicy: 'untrusted', sandbox: 'workspace-write' });
  expect(params({ permissionMode: 'bypassPermissions' })).toMatchObject({ approvalPolicy: 'never', sandbox: 'danger-full-access' });
});

test('an unsupported request is refused, so that the turn continues', () => {
  const { observations, replies } = translate(open, '{"id":7,"method":"attestation/generate","params":{}}');
  expect(observations).toMatchObject([{ type: 'unrecognised' }]);
  expect(replies.map((reply) => JSON.parse(reply))).toMatchObject([{ id: 7, error: { code: -32601 } }]);
});

const impossible: readonly SessionOptions[] = [
  { permissionMode: 'plan' },
  { thinking: 'off' },
  { maxTurns: 3 },
  { allowedTools: ['shell'] },
  { transport: 'dial-in' },
];
for (const options of impossible) {
  test(`a session with ${JSON.stringify(options)} is refused with a reason`, () => expect(unsupportedReason(options)).toMatch(/Codex/));
}
