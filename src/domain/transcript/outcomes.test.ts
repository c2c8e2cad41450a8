import { expect, test } from 'vitest';
import { Event } from '../../protocol/event.ts';
import { modelText } from '../model-text.ts';
import { moveOf } from '../panel/move.ts';
import { Timeline } from '../timeline/fold.ts';
import type { ToolItem, TurnItem } from './item.ts';
import { callOutcome, errorText, turnOutcome } from './outcomes.ts';
import { itemOf, openTranscript, type Transcript } from './transcript.ts';

type Body = Readonly<Record<string, unknown>>;

const T0 = Date.parse('2026-01-01T00:00:00.000Z');
/** Each body with its second. */
const events = (...bodies: readonly (readonly [second: number, body: Body])[]): Event[] =>
  bodies.map(([second, body], at) => Event.parse({ ...body, seq: at + 1, at: new Date(T0 + second * 1000).toISOString() }));
const open = (...bodies: readonly (readonly [number, Body])[]): Transcript => openTranscript(events(...bodies));
const toolIn = (transcript: Transcript): ToolItem => [...transcript.items.values()].find((item) => item.kind === 'tool') ?? expect.fail();
const turnIn = (transcript: Transcript): TurnItem => [...transcript.items.values()].find((item) => item.kind === 'turn') ?? expect.fail();

const began: Body = { type: 'turn.started', turnId: 't', cause: 'input' };
const ended: Body = { type: 'turn.completed', turnId: 't', stopReason: 'end_turn', isError: false, interrupted: false, denials: 0, durationMs: 100_000 };
const called: Body = { type: 'tool.started', toolUseId: 'u', name: 'Bash', input: { command: 'ls' } };
const returned: Body = { type: 'tool.completed', toolUseId: 'u', output: 'no', isError: true };
const asked: Body = { type: 'permission.requested', requestId: 'q', agentRequestId: 'q', toolUseId: 'u', tool: 'Bash', input: {}, kind: 'tool' };
const answered = (outcome: string): Body => ({ type: 'permission.resolved', requestId: 'q', outcome });

test('[R378] a denied call is denied, not failed, and waiting for a person is not its time', () => {
  const transcript = open([0, began], [1, called], [2, asked], [62, answered('denied')], [63, returned], [64, ended]);
  const tool = toolIn(transcript);
  expect(callOutcome(tool)).toBe('denied');
  expect(tool.waitedMs).toBe(60_000);
  expect(callOutcome(toolIn(open([0, began], [1, called], [2, asked], [62, answered('allowed')], [63, returned])))).toBe('failed');
  expect(callOutcome(toolIn(open([0, began], [1, called], [2, asked])))).toBe('waiting');
});

test('[R378] a call that its agent refused is denied, and the refusal is there once', () => {
  const notice: Body = { type: 'notice.shown', level: 'warning', text: 'Denied by settings', parentItemId: 'u' };
  const transcript = open([0, began], [1, called], [2, notice], [3, { ...returned, output: '<tool_use_error>Denied by settings</tool_use_error>' }]);
  expect(transcript.rows.map((key) => itemOf(transcript, key)?.kind)).toEqual(['tool']);
  expect(toolIn(transcript)).toMatchObject({ denied: 'byAgent', completed: { output: 'Denied by settings' } });
});

test('[R379] a turn takes the same time in the transcript, on the timeline and on the panel: work, not waiting', () => {
  const all = events([0, began], [1, called], [2, asked], [62, answered('allowed')], [65, { ...returned, isError: false }], [70, ended]);
  expect(turnIn(openTranscript(all)).workMs).toBe(10_000);
  const timeline = new Timeline();
  for (const event of all) timeline.add(event);
  expect(timeline.answer()).toMatchObject({ turns: [{ workMs: 10_000 }], tools: [{ waitedMs: 60_000, failed: false }] });
});

test('[R379] without the start of a turn, its agent’s own figure is the time', () => {
  expect(turnIn(open([64, ended])).workMs).toBe(100_000);
});

test('[R376] a crash is a crash and an interrupt is an interrupt, in the transcript, on the timeline and on the panel', () => {
  const ends = [
    [{ ...ended, stopReason: 'agent_exited', isError: true, interrupted: true }, 'crashed', 'crashed'],
    [{ ...ended, isError: true, interrupted: true, stopReason: 'interrupted' }, 'interrupted', 'stopped'],
    [{ ...ended, isError: true, stopReason: 'error' }, 'failed', 'failed'],
  ] as const;
  for (const [body, outcome, move] of ends) {
    const all = events([0, began], [9, body]);
    const timeline = new Timeline();
    for (const event of all) timeline.add(event);
    expect(turnOutcome(turnIn(openTranscript(all)).completed)).toBe(outcome);
    expect(timeline.answer().turns).toMatchObject([{ outcome }]);
    expect(moveOf(all[1] ?? expect.fail())).toMatchObject({ how: move });
  }
});

test('in an old journal, a turn whose agent was stopped did not crash', () => {
  const gone = { ...ended, stopReason: 'agent_exited', isError: true, interrupted: true };
  const exited = (reason: string): Body => ({ type: 'session.exited', run: 'r', reason });
  expect(turnIn(open([0, began], [1, gone], [1, exited('stop')])).completed).toMatchObject({ stopReason: 'agent_stopped', isError: false });
  expect(turnIn(open([0, began], [1, gone], [1, exited('died')])).completed.stopReason).toBe('agent_exited');
});

test('[R376] a call that its agent gave up after an interrupt did not fail', () => {
  expect(callOutcome(toolIn(open([0, began], [1, called], [2, { type: 'interrupt.requested', commandId: 'i' }], [3, returned])))).toBe('stopped');
});

test('[R380] a message sent into a running turn appears below everything the agent wrote before it read the message', () => {
  const sent: Body = { type: 'input.accepted', commandId: 's', text: 'also this', mode: 'steer' };
  const text = (words: string): Body => ({ type: 'assistant.text', itemId: words, messageId: words, index: 0, text: words });
  const delivered: Body = { type: 'input.delivered', commandId: 's', run: 'r' };
  const before = open([0, began], [1, sent], [1, delivered], [2, text('written before')]);
  expect(before.rows).toEqual(['written before', 'input:s']);
  const after = open([0, began], [1, sent], [1, delivered], [2, text('written before')], [3, { type: 'input.consumed', commandId: 's' }], [4, text('after')]);
  expect(after.rows).toEqual(['written before', 'input:s', 'after']);
  expect(itemOf(after, 'input:s')).toMatchObject({ seq: 5, taken: true, steered: true });
});

test('a change of a task names the task', () => {
  const create: Body = { type: 'tool.started', toolUseId: 'a', name: 'TaskCreate', input: { subject: 'Write the tests' } };
  const created: Body = { type: 'tool.completed', toolUseId: 'a', output: 'Task #1 created', isError: false };
  const update: Body = { type: 'tool.started', toolUseId: 'b', name: 'TaskUpdate', input: { taskId: '1', status: 'in_progress' } };
  expect(itemOf(open([0, began], [1, create], [2, created], [3, update]), 'tool:b')).toMatchObject({ taskSubject: 'Write the tests' });
});

test('[R381] a model’s id reads as its name', () => {
  expect(modelText('claude-opus-4-8[1m]', 'Claude Code')).toBe('Opus 4.8 (1M)');
  expect(modelText('claude-sonnet-4-5-20250929')).toBe('Claude Sonnet 4.5');
  expect(modelText('claude-3-5-haiku-20241022', 'Claude Code')).toBe('Haiku 3.5');
  expect(modelText('openai/gpt-5.1-codex', 'Codex')).toBe('GPT 5.1 Codex');
  expect(modelText('swift')).toBe('Swift');
  expect(modelText('')).toBe('');
});

test('[R381] an error code is shown in words, and one that says nothing is not shown', () => {
  expect(errorText('unknown')).toBeUndefined();
  expect(errorText('rate_limit')).toBe('Too many requests: the service limits this account right now');
  expect(errorText('some_new_code')).toBe('some new code');
});
