import { expect, test } from 'vitest';
import { asks, ended, SessionScenario, startsTool } from '../../../test/support/domain/session-scenario.ts';
import type { Event } from '../../protocol/event.ts';
import { fold } from './evolve.ts';
import { newSessionState, type SessionState } from './state.ts';

const scenario = (): SessionScenario =>
  SessionScenario.working()
    .says(startsTool('t1'), asks('p1'))
    .send('m2')
    .says(ended({ costUsd: 1, contextTokens: 10, contextWindow: 100 }))
    .exits();

const numbered = (source: SessionScenario): readonly Event[] =>
  source.events.map((event, index) => ({ ...event, seq: index + 1, at: '2026-11-15T00:00:00.000Z' }) as Event);

test('[R1] folding the events gives the same state from the first event or from any snapshot', () => {
  const events = numbered(scenario());
  const whole = fold(newSessionState('s1' as never), events);
  for (let cut = 0; cut <= events.length; cut += 1) {
    const snapshot = JSON.parse(JSON.stringify(fold(newSessionState('s1' as never), events.slice(0, cut))));
    expect(fold(snapshot, events.slice(cut))).toEqual(whole);
  }
});

test('[R2] every status names the event that caused it', () => {
  const events = numbered(scenario());
  const statuses = events.filter((event) => event.type === 'session.status');
  expect(statuses.length).toBeGreaterThan(3);
  for (const status of statuses) expect(events[(status.causeSeq ?? 0) - 1]?.type).toBe(status.cause);
});

test('folding the events gives the state that the decision computed', () => {
  const played = scenario();
  const folded = fold(newSessionState('s1' as never), numbered(played));
  const timeless = (queue: SessionState['queue']) => queue.map((input) => ({ ...input, at: '' }));
  expect({
    ...folded,
    queue: timeless(folded.queue),
    updatedAt: '',
    status: folded.status.status,
    finished: folded.finished?.seq,
    born: folded.born?.agent,
    permissions: [],
  }).toEqual({
    ...played.state,
    queue: timeless(played.state.queue),
    updatedAt: '',
    finished: played.state.finished?.seq,
    status: played.state.status.status,
    born: played.state.born?.agent,
    permissions: [],
  });
});

test('every conversation of the agent is remembered, and the copy in which a summary is requested with its original', () => {
  const at = '2026-11-15T00:00:00.000Z';
  const facts = { tools: [], commands: [], mcpServers: [], cwd: '/' };
  const create = { type: 'session.created', agent: 'demo', cwd: '/', node: 'n', owner: 'o', options: {} };
  const minds = (origin: object, ...bodies: readonly object[]) =>
    fold(
      newSessionState('s1' as never),
      [{ ...create, ...origin }, ...bodies].map((body, index) => ({ ...body, seq: index + 1, at }) as Event),
    ).minds;
  const opened = (id: string) => ({ type: 'run.opened', run: 'r', mode: 'new', agentSessionId: id, reason: 'x' });
  const started = (id: string) => ({ type: 'session.started', agentSessionId: id, ...facts });
  expect(minds({}, opened('a'), started('a'), started('after-clear'), started('a'))).toEqual([{ id: 'a' }, { id: 'after-clear' }]);
  expect(minds({ origin: { kind: 'resume', agentSessionId: 'old' } })).toEqual([{ id: 'old' }]);
  const ready = { type: 'handover.ready', how: 'agent', text: 't' };
  expect(minds({ origin: { kind: 'handover', agentSessionId: 'old' } }, opened('copy'), started('copy'), ready, opened('fresh'))).toEqual([
    { id: 'copy', copyOf: 'old' },
    { id: 'fresh' },
  ]);
});

test('[R213] external events change what lists show, but no turn, tool, request or queue of ours', () => {
  const before = fold(newSessionState('s1' as never), numbered(SessionScenario.working().says(startsTool('t1'), asks('p1')).send('m2')));
  const src = { file: 'a.jsonl', byte: 40 };
  const external = [
    { type: 'user.message', text: 'typed there', origin: 'elsewhere', at: '2020-01-01T00:00:00.000Z' },
    { type: 'tool.started', toolUseId: 't2', name: 'Bash', input: { command: 'ls' }, at: '2027-01-01T00:00:00.000Z' },
    { type: 'tool.completed', toolUseId: 't1', output: '', isError: false, at: '2026-12-01T00:00:00.000Z' },
    { type: 'usage.reported', usage: {}, contextTokens: 77, at: '2026-12-02T00:00:00.000Z', src: { file: 'a.jsonl', byte: 9 } },
    { type: 'assistant.text', messageId: 'm', index: 0, text: 'said there', at: '2026-12-02T00:00:00.000Z', src: { file: 'b.jsonl', byte: 7 } },
  ].map((body, index) => ({ src, ...body, elsewhere: true, seq: before.seq + index + 1 }) as unknown as Event);
  const after = fold(before, external);
  const { turn, queue, openTools, permissions, status, run } = before;
  expect(after).toMatchObject({ turn, queue, openTools, permissions, status, run });
  expect(after).toMatchObject({ contextTokens: 77, lastLine: 'said there', updatedAt: '2027-01-01T00:00:00.000Z', seq: before.seq + 5 });
  expect(after.merged).toEqual({ 'a.jsonl': 40, 'b.jsonl': 7 });
  expect(fold(before, external.slice(0, 1)).updatedAt).toBe(before.updatedAt);
});

test('an adopted session continues the numbers of its record', () => {
  const base = { type: 'session.created', agent: 'demo', cwd: '/', node: 'n', owner: 'o', options: {}, base: 40, seq: 41, at: '' } as unknown as Event;
  expect(fold(newSessionState('s1' as never), [base])).toMatchObject({ base: 40, seq: 41 });
});

test("[R392] a name given in the agent replaces the title once; the agent's own title is used until somebody names the session", () => {
  const at = '2026-11-15T00:00:00.000Z';
  const meta = (...bodies: object[]) =>
    fold(
      newSessionState('s1' as never),
      bodies.map((body, index) => ({ ...body, seq: index + 1, at }) as Event),
    ).meta;
  const reported = (title: string, named?: boolean) => ({ type: 'title.reported', title, ...(named && { named }) });
  const renamed = { type: 'meta.changed', title: 'Mine' };
  expect(meta(reported('Generated'))).toMatchObject({ title: null, reportedTitle: 'Generated' });
  expect(meta(renamed, reported('Generated'))).toMatchObject({ title: 'Mine' });
  expect(meta(renamed, reported('Named there', true))).toMatchObject({ title: 'Named there' });
  expect(meta(reported('Named there', true), renamed, reported('Named there', true))).toMatchObject({ title: 'Mine' });
});
