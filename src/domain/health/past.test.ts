import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionHealth } from '../../protocol/api/health.ts';
import type { Event, EventBody } from '../../protocol/event.ts';
import type { RunId } from '../../protocol/ids.ts';
import { briefOf } from './brief.ts';
import { foldHealth } from './fold.ts';
import { healthAt } from './health.ts';
import { HEALTHY } from './state.ts';

const minute = (at: number): string => new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
const numbered = (bodies: readonly EventBody[]): Event[] => bodies.map((body, index) => ({ ...body, seq: index + 1, at: minute(index) }) as Event);
/** Judged long after the last line by default. */
const past = (bodies: readonly EventBody[], at = 10_000, isOpenElsewhere = false) =>
  healthAt(numbered(bodies).reduce(foldHealth, HEALTHY), minute(at), isOpenElsewhere);

const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const answers = (contextTokens?: number, contextWindow?: number): EventBody => ({
  type: 'usage.reported',
  usage: none,
  ...(contextTokens !== undefined && { contextTokens }),
  ...(contextWindow !== undefined && { contextWindow }),
});
const asks = (parentToolUseId?: string): EventBody => ({
  type: 'user.message',
  text: 'go',
  origin: 'elsewhere',
  ...(parentToolUseId !== undefined && { parentToolUseId }),
});
const says = (over: object = {}): EventBody => ({ type: 'assistant.text', messageId: 'm', index: 0, text: 'done', ...over });
const calls = (parentToolUseId?: string): EventBody => ({
  type: 'tool.started',
  toolUseId: 'x',
  name: 'Run',
  input: {},
  ...(parentToolUseId !== undefined && { parentToolUseId }),
});
const compacts: EventBody = { type: 'context.compacted', trigger: 'auto', preTokens: 160_000, postTokens: 9_000 };

test('the answers in a record show how full the context is and was; those of subagents do not', () => {
  const seen = past([asks(), answers(90_000, 200_000), answers(130_000), answers(), answers(20_000)]);
  expect(seen).toMatchObject({ pressure: 'moderate', now: 20_000, peakTokens: 130_000, windowTokens: 200_000, windowShare: 0.65 });
  expect(seen.timeline.map(({ tokens }) => tokens)).toEqual([90_000, 130_000, 20_000]);
});

test('if the context is larger than the reported window, the window is unknown', () => {
  const seen = past([asks(), answers(150_000, 200_000), answers(230_000)]);
  expect(seen).toMatchObject({ pressure: 'moderate', peakTokens: 230_000 });
  expect([seen.windowTokens, seen.windowShare]).toEqual([undefined, undefined]);
});

test('a past session with two compactions that nobody continues has ended after the last', () => {
  const bodies = [asks(), answers(150_000), compacts, compacts, says()];
  expect(past(bodies)).toMatchObject({ pressure: 'critical', endedAfterCompaction: true });
  expect(past(bodies, 10_000, true)).toMatchObject({ pressure: 'high', endedAfterCompaction: false });
  expect(past(bodies, 6)).toMatchObject({ pressure: 'high', endedAfterCompaction: false });
});

test('[R223] a call without a result at the end of a record that is not open elsewhere means that the agent was killed', () => {
  expect(past([asks(), calls()])).toMatchObject({ cause: 'killed', causeSeq: 2 });
  expect(past([asks(), calls()], 10_000, true).cause).toBeUndefined();
  expect(past([asks(), calls()], 11).cause).toBeUndefined();
});

const notKilled: readonly (readonly [string, readonly EventBody[]])[] = [
  ['an answer at the end', [asks(), says()]],
  ['a prompt at the end', [asks(), says(), asks()]],
  ['an open call before another prompt', [asks(), calls(), asks(), says()]],
  ['an open call of a subagent', [asks(), calls('task')]],
  ['nothing at all', []],
];
for (const [name, bodies] of notKilled) test(`${name} gives no cause`, () => expect(past(bodies).cause).toBeUndefined());

const errors = [
  ['rate_limit', 'API Error: 429 slow down', 'rate_limited'],
  ['authentication_failed', 'Please run /login', 'auth'],
  ['invalid_request', 'Prompt is too long', 'context_exhausted'],
  ['max_output_tokens', 'The answer was cut', 'output_token_limit'],
  ['server_error', 'API Error: 500', 'error'],
] as const;
for (const [error, text, cause] of errors) {
  test(`an error of kind ${error} in a record is the cause ${cause} until a successful answer`, () => {
    expect(past([asks(), says({ error, text })])).toMatchObject({ cause, causeSeq: 2 });
    expect(past([asks(), says({ error, text }), asks(), says()]).cause).toBeUndefined();
  });
}

test('three errors in a record without an answer between them are a finding', () => {
  const fails = says({ error: 'server_error', text: 'API Error: 500' });
  expect(past([asks(), fails, asks(), fails, asks(), fails]).findings).toMatchObject([{ kind: 'api-errors', count: 3, active: true }]);
});

test('an adopted past session is ours: its process shows how it ended', () => {
  const created: EventBody = { type: 'session.created', agent: 'a' as never, cwd: '/', node: 'n', owner: 'o', options: {}, base: 2 };
  const opened: EventBody = { type: 'run.opened', run: 'r' as RunId, mode: 'resume', reason: 'input' };
  expect(past([asks(), calls(), created, opened])).toMatchObject({ findings: [] });
  expect(past([asks(), calls(), created, opened]).cause).toBeUndefined();
});

test('a list gets the highest pressure of each interval, and compactions as negative numbers', () => {
  const bodies = Array.from({ length: 40 }, (_, n) => (n === 20 ? compacts : answers(1_000 * n)));
  const brief = briefOf(past([...bodies, answers(7)]));
  expect(brief.line.length).toBeLessThanOrEqual(24);
  expect(brief.line).toContain(-160_000);
  expect(brief).toMatchObject({ now: 7, peakTokens: 160_000, compactions: 1, findings: [] });
});

test('a line has at most 24 figures, keeps the peak and loses no compaction while there is room', () => {
  const point = fc.record({ tokens: fc.integer({ min: 1, max: 1_000_000 }), compacted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 60 }), (points) => {
      const timeline = points.map(({ tokens, compacted }, index) => ({ seq: index + 1, at: minute(index), tokens, ...(compacted && { compacted }) }));
      const health: SessionHealth = { ...past([]), timeline };
      const { line } = briefOf(health);
      expect(line).toHaveLength(Math.min(24, points.length));
      const figures = points.map(({ tokens, compacted }) => (compacted ? -tokens : tokens));
      if (points.length <= 24) expect(line).toEqual(figures);
      else for (const figure of line) expect(figures).toContain(figure);
    }),
  );
});

test('the report says whether the agent has a command to compact', () => {
  const starts = (...names: string[]): EventBody => ({
    type: 'session.started',
    agentSessionId: 'a',
    tools: [],
    commands: names.map((name) => ({ name })),
    mcpServers: [],
    cwd: '/',
  });
  expect(past([starts('clear', 'compact')]).compactCommand).toBe('/compact');
  expect(past([starts('clear')]).compactCommand).toBeUndefined();
});
