import { expect, test } from 'vitest';
import { SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { Actor } from '../../protocol/actor.ts';
import { type EventBody, WORKSPACE } from '../../protocol/event.ts';
import type { AgentId, CommandId, RequestId, RunId } from '../../protocol/ids.ts';
import type { RuleId } from '../../protocol/rule.ts';
import type { Subject } from '../../protocol/subject.ts';
import { auditOf } from '../audit/audit.ts';
import { newSessionState } from '../session/state.ts';

const ADA: Actor = { kind: 'person', id: 'ada', name: 'Ada' };
const AT = '2026-11-15T00:00:00.000Z';
const commandId = 'c9' as CommandId;
const rule = { id: 'r1' as RuleId, behavior: 'allow', tool: 'Bash', command: 'npm *', scope: { kind: 'everywhere' }, createdAt: AT, createdBy: ADA } as const;

const wordsOf = (scenario: SessionScenario, ...events: readonly EventBody[]) => auditOf(scenario.state, events, AT).map((line) => line.words);
const byAda = (event: EventBody): EventBody => ({ ...event, actor: ADA });

const waiting = (subject: Subject, kind: 'tool' | 'question' | 'plan' = 'tool', tool = 'Bash', input = {}) =>
  SessionScenario.working().says({ type: 'permission.asked', agentRequestId: '1', tool, input, kind, subject });

const resolved = (scenario: SessionScenario, fields: Partial<Extract<EventBody, { type: 'permission.resolved' }>>) =>
  wordsOf(
    scenario,
    byAda({ type: 'permission.resolved', requestId: scenario.state.permissions[0]?.requestId ?? ('none' as RequestId), outcome: 'allowed', ...fields }),
  );

const npmTest = () => waiting({ kind: 'command', command: 'npm test' }, 'tool', 'Bash', { command: 'npm test', timeout: 5 });

test('an answer says what was allowed or denied, where, why, and what was changed first', () => {
  expect(resolved(npmTest(), {})).toEqual(['allowed Bash `npm test` in work']);
  expect(resolved(npmTest(), { updatedInput: { command: 'npm run test', timeout: 5 } })).toEqual([
    'allowed Bash `npm test` in work, with the input changed: command = `npm run test`',
  ]);
  expect(resolved(npmTest(), { updatedInput: { command: 'npm test' } })).toEqual(['allowed Bash `npm test` in work, with the input changed: without timeout']);
  expect(resolved(waiting({ kind: 'edit', paths: ['/x'] }, 'tool', 'Write'), { outcome: 'denied', message: 'not now' })).toEqual([
    'denied Write /x in work: not now',
  ]);
  expect(resolved(npmTest(), { outcome: 'denied', interrupt: true })).toEqual(['denied Bash `npm test` in work and interrupted the agent']);
  expect(resolved(npmTest(), { remember: { scope: 'project' } })).toEqual(['allowed Bash `npm test` in work, to be remembered (project)']);
  expect(resolved(waiting({ kind: 'other' }, 'plan'), { mode: 'acceptEdits' })).toEqual(['allowed a plan in work, continuing in mode acceptEdits']);
  expect(resolved(npmTest(), { outcome: 'cancelled' })).toEqual(['ended the request for Bash `npm test` in work without an answer (cancelled)']);
});

test('a rule that answers in the same decision is listed with what it answered', () => {
  const judged = waiting({ kind: 'other' }).with({ judge: () => ({ behavior: 'allow', rules: [rule] }) });
  const before = judged.state;
  const known = judged.events.length;
  judged.says({ type: 'permission.asked', agentRequestId: '2', tool: 'Bash', input: {}, kind: 'tool', subject: { kind: 'command', command: 'npm ci' } });
  expect(auditOf(before, judged.events.slice(known), AT)).toMatchObject([
    { actor: { kind: 'rule', id: 'r1' }, action: 'permission.resolved', words: expect.stringContaining('allowed Bash `npm ci` in work') },
  ]);
});

const cases: readonly (readonly [EventBody, string])[] = [
  [{ type: 'input.accepted', commandId, text: 'x'.repeat(120), mode: 'queue' }, 'sent a message (120 characters)'],
  [{ type: 'input.accepted', commandId, text: 'x', mode: 'steer' }, 'sent a message (1 characters) mid-turn'],
  [{ type: 'input.edited', commandId, text: 'abc' }, 'edited a queued message (3 characters)'],
  [{ type: 'input.moved', commandId }, 'moved a queued message'],
  [{ type: 'input.steered', commandId }, 'sent a queued message mid-turn'],
  [{ type: 'input.cancelled', commandId, reason: 'cancelled' }, 'cancelled a queued message: cancelled'],
  [{ type: 'interrupt.requested', commandId }, 'interrupted the agent in work'],
  [{ type: 'meta.changed', title: 'New', closed: true }, 'named it "New", made it private'],
  [{ type: 'setting.requested', commandId, setting: 'mode', value: 'plan' }, 'requested the mode plan'],
  [{ type: 'rewind.requested', commandId, messageSeq: 4, messageId: 'm', dryRun: true }, 'asked to rewind files to message 4 (dry run)'],
  [{ type: 'takeover.requested', commandId, pid: 7 }, 'took the conversation over from process 7'],
  [{ type: 'continuation.scheduled', commandId, resumesAt: AT, text: 't' }, `scheduled it to resume automatically at ${AT}`],
  [{ type: 'run.opened', run: 'r' as RunId, mode: 'resume', reason: 'session.wake' }, 'woke the agent in work'],
  [{ type: 'run.ending', run: 'r' as RunId, reason: 'stop' }, 'stopped the agent in work'],
  [{ type: 'session.deleted' }, 'deleted the session work'],
  [{ type: 'rule.created', rule }, 'created the rule r1: allow Bash `npm *` everywhere'],
  [{ type: 'rule.revoked', ruleId: 'r1' as RuleId, reason: 'too wide' }, 'revoked the rule r1: too wide'],
  [{ type: 'token.added', name: 'otto', role: 'driver' }, 'created a token for otto with the role driver'],
  [{ type: 'token.revoked', name: 'otto' }, 'revoked the token of otto'],
];
for (const [event, words] of cases)
  test(`${event.type} is described as "${words}"`, () => expect(wordsOf(SessionScenario.ready(), byAda(event))).toEqual([words]));

test('consequences of a decision, and events that nobody decided, are not in the audit', () => {
  const scenario = SessionScenario.working();
  const undecided: readonly EventBody[] = [
    byAda({ type: 'input.delivered', commandId, run: scenario.run }),
    byAda({ type: 'run.opened', run: scenario.run, mode: 'new', reason: 'input.send' }),
    byAda({ type: 'session.status', status: 'busy', cause: 'x' }),
    { type: 'run.ending', run: scenario.run, reason: 'sleep', actor: { kind: 'system', id: 'signalbox', name: 'Signalbox' } },
    { type: 'permission.resolved', requestId: 'r' as RequestId, outcome: 'lapsed' },
    { ...byAda({ type: 'input.accepted', commandId, text: 'copied', mode: 'queue' }), inherited: true },
  ];
  expect(wordsOf(scenario, ...undecided)).toEqual([]);
});

test('a session that resumed automatically is in the audit, because a person scheduled it', () => {
  const system: Actor = { kind: 'system', id: 'signalbox', name: 'Signalbox' };
  expect(wordsOf(SessionScenario.ready(), { type: 'continuation.ended', outcome: 'sent', reason: 'the scheduled time was reached', actor: system })).toEqual([
    'resumed automatically: the scheduled time was reached',
  ]);
});

test('adopting a past session has its own line', () => {
  const adopted = { type: 'session.created', agent: 'demo' as AgentId, cwd: '/work', node: 'n', owner: 'Ada', options: {}, base: 40 } as const;
  expect(wordsOf(SessionScenario.ready(), byAda(adopted))).toEqual(['adopted the past session with demo in /work']);
});

test('the audit never contains typed text, environment variables or anything that looks like a secret', () => {
  const create: EventBody = byAda({
    type: 'session.created',
    agent: 'demo' as AgentId,
    cwd: '/work',
    node: 'n',
    owner: 'Ada',
    options: { env: { KEY: 'hidden-1' }, systemPrompt: 'hidden-2' },
  });
  const sent: EventBody = byAda({ type: 'input.accepted', commandId, text: 'hidden-3', mode: 'queue' });
  const secrets = [
    'curl -H "Authorization: Bearer hidden-4abcdef"',
    'API_KEY=hidden-5 run',
    'login --password hidden-6',
    'git clone https://me:hidden-7@host/x',
    '{"token": "hidden-8 with words"}',
    'use sk-hidden9hidden9hidden9',
  ];
  const lines = [
    ...wordsOf(SessionScenario.ready(), create, sent),
    ...secrets.flatMap((command) => resolved(waiting({ kind: 'command', command }), { message: command, updatedInput: { command } })),
  ];
  expect(lines).toHaveLength(2 + secrets.length);
  expect(lines.filter((words) => words.includes('hidden'))).toEqual([]);
});

test('an audit line is a single short line', () => {
  const [words = ''] = resolved(waiting({ kind: 'command', command: `a\nb\u001b[31m\u202e${'x'.repeat(100_000)}` }), {});
  expect(words).toMatch(/^allowed Bash `a b \[31m x+…` in work$/);
  expect(words.length).toBeLessThan(300);
});

test('a line has the id of its session and the number of its event; a line of the workspace has no session', () => {
  expect(auditOf(SessionScenario.ready().state, [byAda({ type: 'meta.changed', star: true })], AT)).toMatchObject([
    { at: AT, actor: ADA, action: 'meta.changed', sessionId: 's1', seq: SessionScenario.ready().state.seq + 1 },
  ]);
  const [line] = auditOf({ ...newSessionState(WORKSPACE), seq: 4 }, [byAda({ type: 'rule.created', rule })], AT);
  expect(line).toMatchObject({ seq: 5, action: 'rule.created' });
  expect(line).not.toHaveProperty('sessionId');
});
