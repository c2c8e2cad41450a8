import { expect, test } from 'vitest';
import type { Actor } from '../../protocol/actor.ts';
import { Event, type EventBody, type EventOf } from '../../protocol/event.ts';
import type { CommandId, RequestId, RunId, TurnId } from '../../protocol/ids.ts';
import { handlerOf } from '../handle-event.ts';
import type { MarkEvent } from './item.ts';
import { decisionText, turnEndText, turnFacts, waitedText } from './outcomes.ts';
import { sentencesIn } from './sentences.ts';

const AT = '2026-11-15T12:00:00.000Z';
const run = 'r' as RunId;
const commandId = 'c' as CommandId;
const SENTENCES = sentencesIn({ moment: (at) => at.slice(11, 16), mode: (mode) => `<${mode}>` });

const cases: readonly (readonly [name: string, body: EventBody, text: string, tone: string])[] = [
  ['a crash with its exit code', { type: 'session.exited', run, reason: 'died', code: 3 }, 'The agent crashed (exit 3)', 'trouble'],
  [
    'a killed process with the signal',
    { type: 'session.exited', run, reason: 'died', code: null, signal: 'SIGKILL' },
    'The agent crashed (SIGKILL)',
    'trouble',
  ],
  ['an agent that went to sleep', { type: 'session.exited', run, reason: 'sleep' }, 'The agent went to sleep; the next message wakes it', 'quiet'],
  ['an end for an unknown reason', { type: 'session.exited', run, reason: 'moved' }, "The agent's process ended: moved", 'quiet'],
  ['a retry', { type: 'retry.reported', attempt: 2, maxAttempts: 2, delayMs: 200, error: 'overloaded' }, 'Retrying (2 of 2): service overloaded', 'trouble'],
  ['a limit', { type: 'limit.reported', status: 'rejected', kind: 'five_hour', resetsAt: AT }, '5-hour limit reached, resets at 12:00', 'caution'],
  ['a near limit', { type: 'limit.reported', status: 'allowed_warning', kind: 'week' }, 'Close to the week limit', 'trouble'],
  ['a compaction', { type: 'context.compacted', trigger: 'auto', preTokens: 150_000, postTokens: 900 }, 'Context compacted (auto): 150k → 900 tokens', 'quiet'],
  ['a failed compaction', { type: 'context.compacted', trigger: 'auto', failed: 'too long' }, 'Compaction failed: too long', 'stop'],
  ['a hook with one line of output', { type: 'hook.ran', name: 'lint', event: 'Stop', output: 'fine\n' }, 'Hook lint (Stop) · fine', 'quiet'],
  ['a hook with much output', { type: 'hook.ran', name: 'lint', event: 'Stop', outcome: 'error', output: 'a\nb' }, 'Hook lint (Stop): error', 'quiet'],
  ['a mode, as the surface calls it', { type: 'mode.changed', mode: 'plan', reason: 'confirmed' }, 'Permission mode: <plan> · confirmed', 'quiet'],
  ['restored files', { type: 'files.rewound', commandId, dryRun: false, canRewind: true, files: ['a', 'b'] }, '2 files restored: a, b', 'quiet'],
  ['a warning', { type: 'notice.shown', level: 'warning', text: 'Look' }, 'Look', 'caution'],
  ['lost output', { type: 'output.lost', fromByte: 1, reason: 'truncated' }, "Some of the agent's output was lost here: truncated", 'stop'],
];
for (const [name, body, text, tone] of cases) {
  test(`one sentence for page, export and terminal: ${name}`, () => {
    const event = Event.parse({ ...body, seq: 1, at: AT }) as MarkEvent;
    expect(handlerOf(SENTENCES, event)(event)).toEqual({ text, tone });
  });
}

const ada: Actor = { kind: 'person', id: 'ada', name: 'Ada' };
const rule: Actor = { kind: 'rule', id: 'r1', name: 'tests' };
type Resolved = EventOf<'permission.resolved'>;
const resolved = (outcome: Resolved['outcome'], actor?: Actor): Resolved => ({
  type: 'permission.resolved',
  seq: 1,
  at: AT,
  requestId: 'q' as RequestId,
  outcome,
  ...(actor !== undefined && { actor }),
});
const decisions = [
  ['the reader', resolved('allowed', ada), { kind: 'tool', you: 'ada' }, 'You allowed this'],
  ['somebody else', resolved('denied', ada), { kind: 'tool', you: 'bob', what: 'Run ls' }, 'Ada denied Run ls'],
  ['a rule', resolved('allowed', rule), { kind: 'tool', you: 'ada' }, 'The rule “tests” allowed this'],
  ['the reader, about a plan', resolved('allowed', ada), { kind: 'plan', you: 'ada' }, 'You approved the plan'],
  ['the reader, who skips a question', resolved('denied', ada), { kind: 'question', you: 'ada' }, 'You skipped the question'],
  ['the agent', resolved('cancelled'), { kind: 'tool' }, 'The agent withdrew the request'],
  ['nobody', resolved('lapsed'), { kind: 'question' }, 'Nobody answered the question'],
] as const;
for (const [who, event, facts, text] of decisions) test(`who decided: ${who}`, () => expect(decisionText(event, facts)).toBe(text));

test('a decision says how long the agent waited for a person; a rule’s decision doesn’t', () => {
  expect(waitedText('2026-11-15T11:59:24.000Z', resolved('allowed', ada))).toBe(' · waited 36 s');
  expect(waitedText('2026-11-15T11:59:24.000Z', resolved('allowed', rule))).toBe('');
});

const turn = (more: Partial<EventOf<'turn.completed'>>): EventOf<'turn.completed'> => ({
  type: 'turn.completed',
  seq: 1,
  at: AT,
  turnId: 't' as TurnId,
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...more,
});
const ends = [
  [turn({}), 'Done'],
  [turn({ interrupted: true }), 'Interrupted'],
  [turn({ isError: true, stopReason: 'error' }), 'Failed'],
  [turn({ isError: true, interrupted: true, stopReason: 'agent_exited' }), 'The agent crashed mid-turn. Some steps may have completed; nothing was repeated.'],
  [turn({ interrupted: true, stopReason: 'agent_stopped' }), 'The agent was stopped mid-turn. Some steps may have completed.'],
  [turn({ isError: true, stopReason: 'unknown' }), 'Failed'],
] as const;
for (const [event, text] of ends) test(`the end of a turn: ${text}`, () => expect(turnEndText(event)).toBe(text));

test('a turn says what it took', () => {
  const usage = { inputTokens: 1, outputTokens: 35, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(turnFacts(turn({ durationMs: 99_000, costUsd: 0.001, usage }), 41_000)).toEqual(['41 s', '< $0.01', '35 tokens out']);
});
