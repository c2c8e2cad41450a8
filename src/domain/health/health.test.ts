import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../protocol/event.ts';
import type { CommandId, RequestId, RunId, TurnId } from '../../protocol/ids.ts';
import { foldHealth } from './fold.ts';
import { healthAt } from './health.ts';
import { HEALTHY } from './state.ts';
import { TIMELINE_POINTS } from './timeline.ts';

const minute = (at: number): string => new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
const numbered = (bodies: readonly EventBody[]): Event[] => bodies.map((body, index) => ({ ...body, seq: index + 1, at: minute(index) }) as Event);
const folded = (...bodies: readonly EventBody[]) => numbered(bodies).reduce(foldHealth, HEALTHY);
/** Judged one minute after the last event by default. */
const health = (bodies: readonly EventBody[], at = bodies.length) => healthAt(folded(...bodies), minute(at));

type Completed = Extract<EventBody, { type: 'turn.completed' }>;
const turnId = 't1' as TurnId;
const begins: EventBody = { type: 'turn.started', turnId, cause: 'input' };
const ends = (over: Partial<Completed> = {}): EventBody => ({
  type: 'turn.completed',
  turnId,
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...over,
});
const fails = (words: string): EventBody => ends({ stopReason: 'error', isError: true, errors: [words] });
const compacts = (preTokens?: number, postTokens?: number): EventBody => ({
  type: 'context.compacted',
  trigger: 'auto',
  ...(preTokens !== undefined && { preTokens }),
  ...(postTokens !== undefined && { postTokens }),
});
const calls = (toolUseId: string, command = 'make', parentToolUseId?: string): EventBody => ({
  type: 'tool.started',
  toolUseId,
  name: 'Run',
  input: { command, cwd: '/' },
  ...(parentToolUseId !== undefined && { parentToolUseId }),
});
const answers = (toolUseId: string, isError: boolean): EventBody => ({ type: 'tool.completed', toolUseId, output: '', isError });
const tries = (toolUseId: string, command?: string, isError = true, parent?: string): EventBody[] => [
  calls(toolUseId, command, parent),
  answers(toolUseId, isError),
];
const exits = (over: Partial<Extract<EventBody, { type: 'session.exited' }>>): EventBody => ({
  type: 'session.exited',
  run: 'r1' as RunId,
  reason: 'died',
  ...over,
});
const shows = (status: 'ended' | 'failed' | 'sleeping' | 'busy'): EventBody => ({ type: 'session.status', status, cause: 'session.exited' });
const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 5, cacheReadTokens: 10, cacheWriteTokens: 20 });

test('pressure now, its peak and the share of the window come from what turns report', () => {
  const seen = health([begins, ends({ contextTokens: 90_000, contextWindow: 200_000 }), begins, ends({ contextTokens: 30_000, contextWindow: 200_000 })]);
  expect(seen).toMatchObject({ pressure: 'none', now: 30_000, peakTokens: 90_000, windowTokens: 200_000, windowShare: 0.45, compactionCount: 0, seq: 4 });
});

test('usage counts as context size only in a turn with a single request', () => {
  expect(health([begins, ends({ usage: usage(100) })]).now).toBe(135);
  expect(health([begins, ...tries('a', 'ls', false), ends({ usage: usage(100) })]).now).toBeUndefined();
  expect(health([begins, ends({ usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 } })]).now).toBeUndefined();
});

test('a compaction reports the context before and after, and the size before counts as a peak', () => {
  const seen = health([begins, ends({ contextTokens: 10, contextWindow: 200_000 }), compacts(160_000, 8_000)]);
  expect(seen).toMatchObject({ pressure: 'high', now: 8_000, peakTokens: 160_000, windowShare: 0.8, compactionCount: 1, endedAfterCompaction: false });
  expect(seen.compactions).toEqual([{ seq: 3, at: minute(2), trigger: 'auto', preTokens: 160_000, postTokens: 8_000 }]);
});

test('after a compaction that does not report how much is left, the context size is unknown', () => {
  expect(health([begins, ends({ contextTokens: 10 }), compacts()]).now).toBeUndefined();
});

test('a failed compaction is a finding and does not count as a compaction', () => {
  const seen = health([{ type: 'context.compacted', trigger: 'auto', failed: 'no room' }]);
  expect(seen).toMatchObject({ pressure: 'none', compactionCount: 0, findings: [{ kind: 'compaction-failed', active: false, seq: 1 }] });
});

test('another conversation starts with an empty context; the peak stays', () => {
  const starts = (agentSessionId: string): EventBody => ({ type: 'session.started', agentSessionId, tools: [], commands: [], mcpServers: [], cwd: '/' });
  const seen = health([starts('a'), begins, ends({ contextTokens: 130_000 }), starts('b')]);
  expect(seen).toMatchObject({ pressure: 'moderate', peakTokens: 130_000 });
  expect(seen.now).toBeUndefined();
});

const endings = [
  ['it ended', [shows('ended')], true, 'critical'],
  ['it failed', [shows('failed')], true, 'critical'],
  ['it sleeps', [shows('sleeping')], false, 'high'],
  ['it ended and was woken', [shows('ended'), shows('busy')], false, 'high'],
] as const;
for (const [name, after, ended, expected] of endings) {
  test(`two compactions, then ${name}: ${expected}`, () => {
    const seen = health([compacts(1, 1), compacts(1, 1), ...after]);
    expect([seen.endedAfterCompaction, seen.pressure]).toEqual([ended, expected]);
  });
}

const causes = [
  ['a turn that went well', [ends()], undefined],
  ['a person who interrupted', [ends({ stopReason: 'interrupted', isError: true, interrupted: true })], undefined],
  ['a prompt that is too long', [fails('Prompt is too long · the request is ~210000 tokens (limit 200000)')], 'context_exhausted'],
  ['a context that is full, by the stop reason', [ends({ stopReason: 'model_context_window_exceeded' })], 'context_exhausted'],
  ['an answer that was cut', [ends({ stopReason: 'max_tokens' })], 'output_token_limit'],
  ['an answer past its limit, in words', [fails('The response exceeded the 32000 output token maximum')], 'output_token_limit'],
  ['429', [fails('API Error: Request rejected (429)')], 'rate_limited'],
  ['a limit of the account', [{ type: 'limit.reported', status: 'rejected', kind: 'five_hour' }], 'rate_limited'],
  ['a limit that is near', [{ type: 'limit.reported', status: 'allowed_warning', kind: 'five_hour' }], undefined],
  ['401', [fails('API Error: 401 invalid x-api-key')], 'auth'],
  ['nobody logged in', [fails('Not logged in · Please run /login')], 'auth'],
  ['500', [fails('API Error: 500 server error')], 'error'],
  ['a signal', [exits({ signal: 'SIGKILL' })], 'killed'],
  ['a status that stands for a signal', [exits({ code: 137 })], 'killed'],
  ['a process that left no status', [exits({ code: null, signal: null })], 'killed'],
  ['a program that could not be started', [exits({ reason: 'could-not-start', code: null, signal: null })], 'error'],
  ['an agent that did not respond and was ended', [exits({ reason: 'stuck' })], 'killed'],
  ['a crash', [ends({ stopReason: 'agent_exited', isError: true, interrupted: true }), exits({ code: 1 })], 'error'],
  ['a crash after a reason was given', [fails('401'), exits({ code: 1 })], 'auth'],
  ['a stop', [ends(), exits({ reason: 'stop', code: 0 })], undefined],
  ['sleep after an error', [fails('429'), exits({ reason: 'sleep', code: 0 })], 'rate_limited'],
  ['a failure before a successful turn', [fails('429'), begins, ends()], undefined],
] as const;
for (const [name, events, cause] of causes) {
  test(`the cause of ${name} is ${cause ?? 'none'}`, () => expect(health([begins, ...(events as readonly EventBody[])]).cause).toBe(cause));
}

test('the same call failing three times in a row is a loop, twice is not, and a different call ends it', () => {
  const twice = [begins, ...tries('a'), ...tries('b')];
  expect(health(twice).findings).toEqual([]);
  expect(health([...twice, ...tries('c')]).findings).toMatchObject([{ kind: 'loop', active: true, count: 3, tool: 'Run', seq: 2 }]);
  expect(health([...twice, ...tries('c'), ...tries('d', 'other')]).findings).toMatchObject([{ kind: 'loop', active: false, count: 3 }]);
});

test('another call, another input, or a success in between is not a loop', () => {
  const rows = [
    [...tries('a'), ...tries('b', 'other'), ...tries('c'), ...tries('d')],
    [...tries('a'), ...tries('b', 'make', false), ...tries('c'), ...tries('d')],
    [...tries('a', 'make 1'), ...tries('b', 'make 2'), ...tries('c', 'make 3')],
  ];
  for (const row of rows) expect(health([begins, ...row]).findings).toEqual([]);
});

test('interleaved calls of two subagents are two streaks', () => {
  const mixed = ['a', 'b', 'c'].flatMap((id) => [...tries(`${id}1`, 'make', true, 'p1'), ...tries(`${id}2`, 'test', true, 'p2')]);
  expect(health([begins, ...mixed]).findings).toMatchObject([
    { kind: 'loop', count: 3 },
    { kind: 'loop', count: 3 },
  ]);
});

test('the order of arguments does not matter, and calls closed by us are not failures', () => {
  const swapped: EventBody[] = [{ type: 'tool.started', toolUseId: 'b', name: 'Run', input: { cwd: '/', command: 'make' } }, answers('b', true)];
  expect(health([begins, ...tries('a'), ...swapped, ...tries('c')]).findings).toMatchObject([{ kind: 'loop', count: 3 }]);
  const closed: EventBody = { type: 'tool.completed', toolUseId: 'c', output: '', isError: true, closedBy: 'the turn ended' };
  expect(health([begins, ...tries('a'), ...tries('b'), calls('c'), closed]).findings).toEqual([]);
});

test('a call without output for ten minutes is a stuck tool; one that waits for a person is not', () => {
  const open = [begins, calls('a')];
  expect(health(open, 11).findings).toEqual([]);
  expect(health(open, 12).findings).toMatchObject([{ kind: 'stuck-tool', toolUseId: 'a', tool: 'Run', seq: 2, active: true }]);
  const asked: EventBody = {
    type: 'permission.requested',
    requestId: 'q' as RequestId,
    agentRequestId: 'q',
    toolUseId: 'a',
    tool: 'Run',
    input: {},
    kind: 'tool',
  };
  expect(health([...open, asked], 500).findings).toEqual([]);
});

test('a turn without output for ten minutes is a silent agent, whatever people do in the meantime', () => {
  expect(health([begins], 10).findings).toEqual([]);
  expect(health([begins], 11).findings).toMatchObject([{ kind: 'silent', seq: 1 }]);
  expect(health([begins, { type: 'meta.changed', star: true }], 11).findings).toMatchObject([{ kind: 'silent' }]);
  expect(health([begins, { type: 'input.cancelled', commandId: 'c' as CommandId, reason: 'no' }], 11).findings).toHaveLength(1);
  expect(health([begins, ends()], 500).findings).toEqual([]);
});

test('three service errors in a row are a finding, which ends with the first answer', () => {
  const retry: EventBody = { type: 'retry.reported', attempt: 1, error: 'server_error (500)' };
  expect(health([begins, retry, retry]).findings).toEqual([]);
  expect(health([begins, retry, retry, fails('500')]).findings).toMatchObject([{ kind: 'api-errors', active: true, count: 3, seq: 2 }]);
  const answer: EventBody = { type: 'assistant.text', messageId: 'm', index: 0, text: 'hello' };
  expect(health([begins, retry, retry, retry, answer]).findings).toMatchObject([{ kind: 'api-errors', active: false, count: 3 }]);
});

test('inherited events do not count', () => {
  const before = [compacts(160_000), compacts(160_000), fails('429')].map((body) => ({ ...body, inherited: true }));
  expect(health(before)).toMatchObject({ pressure: 'none', compactionCount: 0, peakTokens: 0 });
  expect(health(before).cause).toBeUndefined();
});

test('the state stays small however long the session, and folding on from a stored state gives the same result', () => {
  const bodies = Array.from({ length: 3_000 }, (_, n): readonly EventBody[] => [
    begins,
    ...tries(`a${n}`, `make ${n % 5}`, n % 7 !== 0, `p${n % 50}`),
    n % 10 === 0 ? compacts(1_000 + n, 10) : { type: 'retry.reported', attempt: 1, error: 'x'.repeat(5_000) },
    ends({ contextTokens: n, contextWindow: 200_000 }),
  ]).flat();
  const events = numbered(bodies);
  const whole = events.reduce(foldHealth, HEALTHY);
  const half = JSON.parse(JSON.stringify(events.slice(0, 7_000).reduce(foldHealth, HEALTHY)));
  expect(events.slice(7_000).reduce(foldHealth, half)).toEqual(whole);
  expect(JSON.stringify(whole).length).toBeLessThan(64 * 1024);
  expect(whole.timeline.length).toBeLessThanOrEqual(TIMELINE_POINTS);
  expect(whole.timeline.at(-1)?.seq).toBe(events.length);
  expect(Math.max(...whole.timeline.map((point) => point.tokens))).toBeGreaterThan(2_990);
  expect(whole.compactionCount).toBe(300);
  expect(whole.compactions).toHaveLength(100);
});

test('[R399] a context that was compacted three times, or twice before the session ended, is exhausted even if no error says so', () => {
  const over: EventBody = { type: 'session.status', status: 'ended', cause: 'session.exited' };
  expect(health([compacts(), compacts()]).cause).toBeUndefined();
  expect(health([compacts(), compacts(), over])).toMatchObject({ cause: 'context_exhausted', causeSeq: 2 });
  expect(health([compacts(), compacts(), compacts()])).toMatchObject({ cause: 'context_exhausted', causeSeq: 3 });
});

const words = [
  ['The context is full', 'context_exhausted'],
  ['token limit exceeded', 'context_exhausted'],
  ['the output token limit was reached', 'output_token_limit'],
  ['context deadline exceeded', 'error'],
] as const;
for (const [said, cause] of words)
  test(`a turn that failed with "${said}" has the cause ${cause}`, () => expect(health([begins, fails(said)]).cause).toBe(cause));

test('answers since the last compaction are counted, once per message and without those of subagents', () => {
  const says = (messageId: string, more: object = {}) => ({ type: 'assistant.text', messageId, index: 0, text: 'x', ...more }) as EventBody;
  expect(health([says('a')])).not.toHaveProperty('answersSinceCompaction');
  expect(
    health([says('a'), compacts(), says('b'), says('b'), says('c', { parentToolUseId: 't' }), says('d', { error: 'e' }), says('f')]).answersSinceCompaction,
  ).toBe(2);
});
