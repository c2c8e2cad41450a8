import { expect, test } from 'vitest';
import type { Observation } from '../../protocol/observation.ts';
import { openclaw } from './index.ts';
import type { State } from './state.ts';

/** Folds frames and returns the observations and the requests they cause. */
function fold(
  frames: readonly object[],
  from: State = openclaw.initial(),
): { state: State; observed: readonly Observation[]; asked: readonly { method: string; id: string; params: object }[] } {
  let state = from;
  const observed: Observation[] = [];
  const asked: { method: string; id: string; params: object }[] = [];
  for (const frame of frames) {
    const step = openclaw.translate(state, JSON.stringify(frame));
    state = step.state;
    observed.push(...step.observations);
    asked.push(...step.replies.map((line) => JSON.parse(line)));
  }
  return { state, observed, asked };
}

const RUN = 'sb:c1';
const opened: State = { ...openclaw.initial(), key: 'k', sessionId: 's', cwd: '/home/dev' };
const agent = (stream: string, data: object, runId = RUN) => ({ type: 'event', event: 'agent', payload: { runId, sessionKey: 'k', stream, data } });
const chat = (state: string, more: object = {}, runId = RUN) => ({ type: 'event', event: 'chat', payload: { runId, sessionKey: 'k', state, ...more } });
const row = (id: string, message: object, sessionId = 's') => ({
  type: 'event',
  event: 'session.message',
  payload: { sessionKey: 'k', sessionId, messageId: id, message },
});
const answer = (id: string, text: string, runId = RUN) =>
  row(id, { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop', __openclaw: { runId, id } });
const started = agent('lifecycle', { phase: 'start' });
const settled = agent('lifecycle', { phase: 'end', executionSettled: true });
const types = (observed: readonly Observation[]) => observed.map(({ type }) => type);

test('a turn ends when its run is over, settled and fully reported, in any order', () => {
  const final = chat('final', { hasMessage: true });
  for (const rest of [
    [answer('m', 'x'), settled, final],
    [settled, final, answer('m', 'x')],
    [final, answer('m', 'x'), settled],
  ]) {
    const { observed, state } = fold([started, ...rest], opened);
    expect(types(observed)).toEqual(['turn.began', 'input.taken', 'assistant.text', 'turn.ended']);
    expect(state.turn).toBeNull();
  }
});

test('a missing answer is requested, and reported once even if it then arrives twice', () => {
  const { asked, state } = fold([started, settled, chat('final', { hasMessage: true })], opened);
  expect(asked.map(({ method }) => method)).toEqual(['chat.history']);
  const messages = [
    { role: 'assistant', content: [{ type: 'text', text: 'old' }], __openclaw: { id: 'o', runId: 'sb:c0' } },
    { role: 'assistant', content: [{ type: 'text', text: 'x' }], stopReason: 'stop', __openclaw: { id: 'm', runId: RUN } },
  ];
  const { observed } = fold([{ type: 'res', id: asked[0]?.id, ok: true, payload: { messages } }, answer('m', 'x')], state);
  expect(observed).toMatchObject([
    { type: 'assistant.text', text: 'x', uuid: 'm' },
    { type: 'turn.ended', result: 'x' },
  ]);
});

test('a run that never reports that it settled is waited for, then ended', () => {
  const { asked, state } = fold([started, chat('aborted')], opened);
  const first = { type: 'res', id: asked[0]?.id, ok: true, payload: { messages: [] } };
  const second = fold([first], state);
  expect(second.asked.map(({ method }) => method)).toEqual(['agent.wait']);
  const { observed } = fold([{ type: 'res', id: second.asked[0]?.id, ok: false, error: { message: 'no' } }], second.state);
  expect(observed).toMatchObject([{ type: 'turn.ended', aborted: true, stopReason: 'interrupted' }]);
});

test('late events of a finished run start no other turn', () => {
  const { state } = fold([started, answer('m', 'x'), settled, chat('final')], opened);
  const late = [
    agent('lifecycle', { phase: 'approval-resolved' }),
    chat('error', { errorMessage: 'again' }),
    row('u', { role: 'user', content: 'x', idempotencyKey: `${RUN}:user` }),
  ];
  expect(fold(late, state).observed).toEqual([]);
});

test('a steering message is taken with its row, and the answer before it does not end the turn', () => {
  const steer = row('u', { role: 'user', content: 'x', idempotencyKey: 'sb:c2:user' });
  const { observed } = fold(
    [started, answer('m', 'first'), steer, chat('final', {}, 'sb:c2'), settled, chat('final', { hasMessage: true }), answer('n', 'second')],
    opened,
  );
  expect(types(observed)).toEqual(['turn.began', 'input.taken', 'assistant.text', 'input.taken', 'assistant.text', 'turn.ended']);
});

test('a steering message that was stopped before it was taken is dropped', () => {
  expect(fold([started, chat('aborted', {}, 'sb:c2')], opened).observed.at(-1)).toMatchObject({ type: 'input.dropped', inputId: 'sb:c2' });
});

test('an interrupt that arrives before its run stops the run when it starts', () => {
  const accepted = { type: 'res', id: JSON.stringify({ for: 'input', inputId: RUN }), ok: true, payload: { runId: RUN } };
  const early = { type: 'res', id: JSON.stringify({ for: 'interrupt', requestId: 'i' }), ok: true, payload: { aborted: false, runIds: [] } };
  expect(fold([accepted, early, started], opened).asked).toMatchObject([{ method: 'chat.abort', params: { sessionKey: 'k', runId: RUN } }]);
  expect(fold([early, started], opened).asked).toEqual([]);
});

test('a message that the Gateway already had is dropped: it does not run twice', () => {
  const again = { type: 'res', id: JSON.stringify({ for: 'input', inputId: RUN }), ok: true, payload: { runId: RUN, status: 'timeout', summary: 'aborted' } };
  expect(fold([again], opened).observed).toMatchObject([{ type: 'input.dropped', inputId: RUN, reason: expect.stringContaining('aborted') }]);
});

test('messages and runs of someone else are shown as theirs', () => {
  const { observed } = fold(
    [row('u', { role: 'user', content: 'from a terminal', idempotencyKey: 'other:user' }), agent('lifecycle', { phase: 'start' }, 'other')],
    opened,
  );
  expect(observed).toMatchObject([
    { type: 'user.message', text: 'from a terminal', origin: 'elsewhere' },
    { type: 'turn.began', cause: 'agent' },
  ]);
});

test('parts that do not continue the shown text start a new one, and the message replaces them', () => {
  const piece = (delta: string, chars: number, more: object = {}) => agent('assistant', { delta, chars, itemId: 'i', ...more });
  const { observed } = fold(
    [started, piece('one', 3), piece(' two', 7), piece('four', 20), piece('', 0, { replace: true }), piece('again', 5), answer('m', 'again')],
    opened,
  );
  expect(observed.slice(2)).toMatchObject([
    { type: 'delta', text: 'one', offset: 0 },
    { type: 'delta', text: ' two', offset: 3 },
    { type: 'delta.dropped' },
    { type: 'delta', text: 'four', offset: 0 },
    { type: 'delta.dropped' },
    { type: 'delta', text: 'again', offset: 0 },
    { type: 'delta.dropped' },
    { type: 'assistant.text', text: 'again' },
  ]);
});

test('a call is reported once, with its message or before it, and its result has the path in the folder', () => {
  const result = { content: [{ type: 'text', text: 'ok' }], details: { changed: true, created: true, patch: '--- a\n+++ a\n@@ -0,0 +1,1 @@\n+x\n' } };
  const call = row('m', { role: 'assistant', content: [{ type: 'toolCall', id: 't', name: 'write', arguments: { path: 'a' } }], stopReason: 'toolUse' });
  const start = agent('tool', { phase: 'start', name: 'write', toolCallId: 't', args: { path: 'a' } });
  for (const frames of [
    [start, call],
    [call, start],
  ]) {
    const { observed } = fold([started, ...frames, agent('tool', { phase: 'result', name: 'write', toolCallId: 't', isError: false, result })], opened);
    expect(observed.slice(2)).toMatchObject([
      { type: 'tool.started', toolUseId: 't', input: { path: 'a' } },
      { type: 'tool.completed', toolUseId: 't', output: 'ok', change: { kind: 'create', path: '/home/dev/a' } },
    ]);
  }
});

test('a conversation that OpenClaw resets continues under its new id', () => {
  const { observed } = fold([row('m', { role: 'assistant', content: [], stopReason: 'stop' }, 's2')], opened);
  expect(observed).toMatchObject([{ type: 'session.started', agentSessionId: 's2', cwd: '/home/dev' }]);
});

test('a missing or reset conversation is not opened, and its inputs are dropped with the reason', () => {
  const wish = { cwd: '/home/dev', mode: 'guarded' };
  const missing = { type: 'res', id: JSON.stringify({ for: 'resolve', sessionId: 's', copies: false, wish }), ok: true, payload: { ok: false } };
  const reset = { type: 'res', id: JSON.stringify({ for: 'describe', sessionId: 's', key: 'k', wish }), ok: true, payload: { sessionId: 's2' } };
  for (const frame of [missing, reset]) {
    const { observed, state, asked } = fold([frame]);
    expect(observed).toMatchObject([{ type: 'notice.shown', level: 'error' }, { type: 'agent.ready' }]);
    expect(asked).toEqual([]);
    const refused = { type: 'res', id: JSON.stringify({ for: 'input', inputId: RUN }), ok: false, error: { message: 'x' } };
    expect(fold([refused], state).observed).toMatchObject([{ type: 'input.dropped', inputId: RUN, reason: state.closed }]);
  }
});

test("a leftover run of ours is stopped before the session continues, and not reported again; someone else's run continues", () => {
  const wish = { cwd: '/home/dev', mode: 'guarded' };
  const session = { sessionId: 's', inFlightRun: { runId: 'sb:left' }, sessionInfo: { activeRunIds: ['other'] } };
  const { asked, state } = fold([{ type: 'res', id: JSON.stringify({ for: 'describe', sessionId: 's', key: 'k', wish }), ok: true, payload: session }]);
  expect(asked).toMatchObject([
    { method: 'chat.abort', params: { runId: 'sb:left' } },
    { method: 'agent.wait', params: { runId: 'sb:left' } },
  ]);
  expect(fold([{ type: 'res', id: asked[1]?.id, ok: true, payload: {} }], state).asked).toMatchObject([{ method: 'sessions.messages.subscribe' }]);
  expect(fold([chat('aborted', {}, 'sb:left'), agent('lifecycle', { phase: 'end' }, 'sb:left')], state).observed).toEqual([]);
});

test('an approval that is not about a command is shown in its own words, and answered with its own method', () => {
  const approval = { id: 'a', presentation: { kind: 'plugin', title: 'Send it?' } };
  const { observed } = fold([{ type: 'event', event: 'session.approval', payload: { sessionKey: 'k', phase: 'pending', approval } }], opened);
  expect(observed).toMatchObject([{ type: 'permission.asked', agentRequestId: 'approval:a', tool: 'plugin', input: { title: 'Send it?' } }]);
  const [line = ''] = openclaw.encode({ kind: 'answer', agentRequestId: 'approval:a', input: {}, verdict: { behavior: 'allow' } }, opened);
  expect(JSON.parse(line)).toMatchObject({ method: 'approval.resolve', params: { id: 'a', decision: 'allow-once' } });
});

const preamble = (phase: string, progressText: string, itemId = 'commentary-0-a') => agent('item', { kind: 'preamble', phase, progressText, itemId });
const called = (content: readonly object[] = []) =>
  row('m1', {
    role: 'assistant',
    content: [...content, { type: 'toolCall', id: 't1', name: 'exec', arguments: { command: 'ls' } }],
    stopReason: 'toolUse',
    __openclaw: { runId: RUN },
  });

test('what the model says before a call is kept once and in order, whether or not its message repeats it', () => {
  const frames = [started, preamble('update', 'Let me'), preamble('update', 'Let me look.'), preamble('end', 'Let me look.')];
  for (const repeated of [[], [{ type: 'text', text: 'Let me look.' }]]) {
    const { observed } = fold([...frames, called(repeated), agent('tool', { phase: 'start', name: 'exec', toolCallId: 't1', args: {} })], opened);
    expect(types(observed).filter((type) => type !== 'delta')).toEqual(['turn.began', 'input.taken', 'assistant.text', 'tool.started']);
    expect(observed.filter(({ type }) => type === 'assistant.text')).toMatchObject([{ text: 'Let me look.' }]);
  }
});

test('a preamble that never ends is kept when its message arrives', () => {
  const { observed } = fold([started, preamble('update', 'Let me look.'), called([{ type: 'text', text: 'Let me look.' }])], opened);
  expect(types(observed).filter((type) => type === 'assistant.text' || type === 'delta.dropped')).toEqual(['assistant.text']);
});
