import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../protocol/event.ts';
import type { RunId, TurnId } from '../../protocol/ids.ts';
import { countUsage, NOTHING_COUNTED, type SpentLine } from './count.ts';
import { tokensOf, type UsageEntry } from './entry.ts';
import { costOf } from './price.ts';

const second = (at: number): string => new Date(Date.UTC(2026, 0, 31, 23, 59, 0) + at * 1000).toISOString();
const numbered = (...bodies: readonly EventBody[]): Event[] => bodies.map((body, index) => ({ at: second(index), ...body, seq: index + 1 }) as Event);
const usage = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 });
const turnId = 't1' as TurnId;
const starts: EventBody = { type: 'session.started', agentSessionId: 'a', model: 'big[1m]', tools: [], commands: [], mcpServers: [], cwd: '/' };
const begins: EventBody = { type: 'turn.started', turnId, cause: 'input' };
const ends = (over: Partial<Extract<EventBody, { type: 'turn.completed' }>>): EventBody => ({
  type: 'turn.completed',
  turnId,
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...over,
});
const asks = (uuid: string, over: object = {}): EventBody => ({ type: 'user.message', text: 'do it', origin: 'elsewhere', uuid, ...over });
const says = (messageId: string): EventBody => ({ type: 'assistant.text', messageId, index: 0, text: 'done', model: 'big' });
const spends = (seq: number, messageId: string | undefined, tokens: number, over: Partial<SpentLine> = {}): SpentLine => ({
  seq,
  at: second(seq),
  model: 'big',
  usage: usage(tokens),
  ...(messageId !== undefined && { messageId }),
  ...over,
});
const counted = (events: readonly Event[], spent: readonly SpentLine[] = []) => countUsage(NOTHING_COUNTED, events, spent).entries;
const sum = (entries: readonly UsageEntry[]) => ({
  tokens: entries.reduce((all, entry) => all + tokensOf(entry.usage), 0),
  turns: entries.reduce((all, entry) => all + entry.turns, 0),
  durationMs: entries.reduce((all, entry) => all + entry.durationMs, 0),
});

test('a turn that ran here counts as the agent reported it', () => {
  const entries = counted(numbered(starts, begins, ends({ usage: usage(10, 5), costUsd: 0.25, durationMs: 900 })));
  expect(entries).toEqual([
    { key: 'tt1 big', isShared: false, day: '2026-01-31', model: 'big', usage: usage(10, 5), costUsd: 0.25, turns: 1, durationMs: 900 },
  ]);
});

test('each model of a turn has its own entry, and the turn counts once', () => {
  const models = [
    { model: 'small', usage: usage(3), costUsd: 0.1 },
    { model: 'big', usage: usage(100), costUsd: 2 },
  ];
  const entries = counted(numbered(starts, begins, ends({ usage: usage(90), costUsd: 2.1, durationMs: 900, models })));
  expect(entries).toMatchObject([
    { model: 'small', usage: usage(3), costUsd: 0.1, turns: 0, durationMs: 0 },
    { model: 'big', usage: usage(100), costUsd: 2, turns: 1, durationMs: 900 },
  ]);
});

test('the only model of a turn has the cost of the turn', () => {
  expect(counted(numbered(ends({ costUsd: 2, models: [{ model: 'm', usage: usage(1) }] })))).toMatchObject([{ model: 'm', costUsd: 2 }]);
});

test('an answer that is reported while its turn runs here is not counted in addition to the turn', () => {
  const reported: EventBody = { type: 'usage.reported', messageId: 'm', model: 'big', usage: usage(10) };
  expect(sum(counted(numbered(starts, begins, reported, ends({ usage: usage(10) }))))).toMatchObject({ tokens: 10, turns: 1 });
  expect(sum(counted(numbered(starts, begins, { ...reported, elsewhere: true }, ends({ usage: usage(10) }))))).toMatchObject({ tokens: 20 });
});

test('each answer of a record counts once, and a later report of it wins', () => {
  const entries = counted(numbered(asks('u1'), says('m1')), [spends(2, 'm1', 5), spends(2, 'm1', 12, { costUsd: 0.5 }), spends(2, undefined, 7)]);
  expect(entries.filter((entry) => entry.turns === 0)).toMatchObject([
    { key: 'mm1', isShared: true, usage: usage(12), costUsd: 0.5, model: 'big' },
    { key: `s${second(2)} big 7 0 0 0`, isShared: true, usage: usage(7) },
  ]);
});

test('the turns of a record are the prompts of people, not those of the agent or for a subagent', () => {
  const events = numbered(asks('u1'), says('m1'), asks('u2', { origin: 'agent' }), asks('u3', { parentToolUseId: 'x' }), asks('u4'), says('m2'));
  expect(sum(counted(events)).turns).toBe(2);
});

test('a turn of a record takes as long as the steps between its lines, and a long gap counts only up to a limit', () => {
  const night = [
    { ...asks('u1'), at: '2026-01-01T20:00:00.000Z' },
    { ...says('m1'), at: '2026-01-01T20:00:03.000Z' },
    { ...says('m2'), at: '2026-01-02T08:00:00.000Z' },
  ];
  const [prompt] = counted(numbered(...(night as EventBody[])));
  expect(prompt).toMatchObject({ day: '2026-01-01', model: 'big', turns: 1, durationMs: 3_000 + 600_000 });
});

test('the day of a line is in UTC', () => {
  const late = { ...spends(1, 'm', 5), at: '2026-02-01T01:30:00.000+02:00' };
  expect(counted([], [late])).toMatchObject([{ day: '2026-01-31' }]);
});

test('inherited events count for the session in which they happened', () => {
  const before = [asks('u1'), ends({ usage: usage(10) })].map((body) => ({ ...body, inherited: true }));
  expect(counted(numbered(...before))).toEqual([]);
});

test('an adopted session continues with its own turns', () => {
  const opened: EventBody = { type: 'run.opened', run: 'r' as RunId, mode: 'resume', reason: 'input' };
  const entries = counted(numbered(asks('u1'), says('m1'), opened, begins, says('m2'), ends({ durationMs: 7, usage: usage(1) })));
  expect(sum(entries)).toEqual({ tokens: 1, turns: 2, durationMs: 1_007 });
});

test('lines without tokens and cost are not counted', () => {
  expect(counted([], [spends(1, 'm', 0)])).toEqual([]);
  expect(counted([], [spends(1, 'm', 0, { costUsd: 0.1 })])).toHaveLength(1);
});

test('a price is for a million tokens of each kind', () => {
  const all = { inputTokens: 1_000_000, outputTokens: 2_000_000, cacheReadTokens: 3_000_000, cacheWriteTokens: 4_000_000 };
  expect(costOf(all, { input: 1, output: 10, cacheRead: 100, cacheWrite: 1_000 })).toBe(4_321);
});

const anyBody = fc.oneof(
  fc.constantFrom<EventBody>(starts, begins, ends({ usage: usage(3), durationMs: 5 }), asks('u1'), asks('u2'), says('m1')),
  fc.integer({ min: 1, max: 9 }).map((tokens): EventBody => ({ type: 'usage.reported', messageId: `m${tokens % 3}`, usage: usage(tokens) })),
);

test('the count is the same however the events are split into batches, with a stored state in between', () => {
  fc.assert(
    fc.property(fc.array(anyBody, { maxLength: 30 }), fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 8 }), fc.nat(30), (bodies, tokens, cut) => {
      const events = numbered(...bodies);
      const spent = tokens.map((count) => spends(count, `m${count % 4}`, count)).toSorted((a, b) => a.seq - b.seq);
      const first = countUsage(
        NOTHING_COUNTED,
        events.slice(0, cut),
        spent.filter(({ seq }) => seq <= cut),
      );
      const second = countUsage(
        JSON.parse(JSON.stringify(first.state)),
        events.slice(cut),
        spent.filter(({ seq }) => seq > cut),
      );
      const pieces = new Map([...first.entries, ...second.entries].map((entry) => [entry.key, entry]));
      const whole = countUsage(NOTHING_COUNTED, events, spent);
      expect(second.state).toEqual(whole.state);
      expect(pieces).toEqual(new Map(whole.entries.map((entry) => [entry.key, entry])));
    }),
  );
});
