import { expect, test } from 'vitest';
import { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { Timeline } from './fold.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
/** Events are one second apart, unless they have their own time. */
function timelineOf(bodies: readonly object[]) {
  const timeline = new Timeline();
  for (const [at, body] of bodies.entries()) timeline.add(Event.parse({ at: new Date(START + at * 1000).toISOString(), ...body, seq: at + 1 }));
  return timeline.answer();
}

const TURN = { type: 'turn.started', turnId: 't', cause: 'input' };
const OVER = { type: 'turn.completed', turnId: 't', stopReason: 'end_turn', isError: false, interrupted: false, denials: 0 };
const said = (text: string, more: object = {}) => ({ type: 'user.message', text, origin: 'person', ...more });
const call = (id: string, more: object = {}) => [
  { type: 'tool.started', toolUseId: id, name: 'Bash', input: { command: `ls ${id}` } },
  { type: 'tool.completed', toolUseId: id, output: '', isError: false, ...more },
];

test('turns have their calls, their title and their outcome', () => {
  const { turns, tools } = timelineOf([TURN, said('fix it\nplease'), ...call('a'), ...call('b', { isError: true }), { ...OVER, isError: true, costUsd: 0.5 }]);
  expect(turns).toEqual([{ seq: 1, lastSeq: 7, atMs: 0, endMs: 6000, count: 1, outcome: 'failed', tools: 2, title: 'fix it', costUsd: 0.5, workMs: 6000 }]);
  expect(tools).toMatchObject([
    { seq: 3, atMs: 2000, endMs: 3000, name: 'Bash', gist: 'ls a', failed: false },
    { seq: 5, failed: true },
  ]);
});

test('a wait says how long it took and who ended it', () => {
  const asked = { type: 'permission.requested', requestId: 'r', agentRequestId: 'r', tool: 'Bash', input: {}, kind: 'tool' };
  const answered = { type: 'permission.resolved', requestId: 'r', outcome: 'allowed', actor: { kind: 'person', id: 'a', name: 'Ada' } };
  expect(timelineOf([TURN, asked, { ...answered, at: new Date(START + 61_000).toISOString() }]).waits).toEqual([
    { seq: 2, atMs: 1000, endMs: 61_000, count: 1, tool: 'Bash', kind: 'tool', outcome: 'allowed', by: 'Ada' },
  ]);
  expect(timelineOf([TURN, asked]).waits[0]?.endMs).toBeUndefined();
});

test('in a record without turns, a turn goes from each message to the last thing done for it', () => {
  const { turns } = timelineOf([said('one'), ...call('a'), said('two'), said('summary', { origin: 'agent' }), ...call('b')]);
  expect(turns.map(({ seq, lastSeq, tools, outcome }) => [seq, lastSeq, tools, outcome])).toEqual([
    [1, 3, 1, 'done'],
    [4, 7, 1, 'done'],
  ]);
});

test('a message right before a turn belongs to that turn', () => {
  expect(timelineOf([said('one'), TURN, ...call('a'), OVER]).turns).toMatchObject([{ seq: 2, title: 'one', tools: 1 }]);
});

test('the context is shown with its compactions; a failed one changes nothing', () => {
  const spent = { type: 'usage.reported', usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }, contextWindow: 200_000 };
  const { context, compactions, windowTokens } = timelineOf([
    { ...spent, contextTokens: 90_000 },
    { type: 'context.compacted', trigger: 'auto', preTokens: 90_000, postTokens: 9000 },
    { type: 'context.compacted', trigger: 'auto', failed: 'no' },
  ]);
  expect(context.map(({ tokens }) => tokens)).toEqual([90_000, 9000]);
  expect(compactions).toEqual([{ seq: 2, atMs: 1000, trigger: 'auto', preTokens: 90_000, postTokens: 9000 }]);
  expect(windowTokens).toBe(200_000);
});

test('open turns and calls end with the process', () => {
  const { turns, tools } = timelineOf([TURN, ...call('a').slice(0, 1), { type: 'session.exited', run: 'r', reason: 'died' }]);
  expect([turns[0]?.outcome, tools[0]?.endMs]).toEqual(['interrupted', 2000]);
});

test('a clock that was set back does not reverse time, and inherited events are left out', () => {
  const early = { at: '2025-01-01T00:00:00.000Z' };
  const { turns } = timelineOf([{ ...TURN, inherited: true }, TURN, OVER, { ...TURN, ...early }, { ...OVER, ...early }]);
  expect(turns.map(({ atMs, endMs }) => [atMs, endMs])).toEqual([
    [0, 1000],
    [1000, 1000],
  ]);
});

test('fifty thousand events give a bounded answer with complete sums, and an open span is never merged', () => {
  const turns = Array.from({ length: 5000 }, (_, n) => [TURN, ...Array.from({ length: 4 }, (_, m) => call(`${n}.${m}`)).flat(), OVER]).flat();
  const answer = timelineOf([...turns, TURN, ...call('last').slice(0, 1)]);
  expect(answer.turns.length).toBeLessThanOrEqual(LIMITS.timelineSpans + 1);
  expect(answer.tools.length).toBeLessThanOrEqual(LIMITS.timelineSpans + 1);
  const sum = (spans: readonly { readonly count: number }[]) => spans.reduce((all, { count }) => all + count, 0);
  expect([sum(answer.turns), sum(answer.tools)]).toEqual([5001, 20_001]);
  expect([answer.turns.at(-1)?.outcome, answer.tools.at(-1)?.gist]).toEqual(['open', 'ls last']);
});
