import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordsPort } from '../../test/support/engine/records-port.ts';
import {
  ALLOW_DATE,
  begin,
  creation,
  DENY_DATE,
  freshCommandId,
  makeRule,
  storeRuleWithoutApplying,
  waitForRequestInOutput,
  workspace,
} from '../../test/support/engine/rules.ts';
import { ADA, createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { demo } from '../agents/demo/index.ts';
import type { PastSessionsPort } from '../archive/past-sessions-port.ts';
import type { Event } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { RuleBody } from '../protocol/rule.ts';

const resolvedIn = (setup: EngineSetup, id: SessionId) => setup.event(id, 'permission.resolved');
const asksIn = (setup: EngineSetup, id: SessionId) => setup.event(id, 'permission.requested');

test('a rule allows a request without asking, and the event names the rule as its actor', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, ALLOW_DATE);
  const id = await begin(setup, 'run date');
  const resolved = await resolvedIn(setup, id);
  const asked = await asksIn(setup, id);
  await setup.event(id, 'tool.completed', (event) => !event.isError);
  expect(resolved).toMatchObject({ outcome: 'allowed', requestId: asked.requestId, actor: { kind: 'rule', id: rule.id }, rules: [rule.id] });
  expect(setup.events(id).filter((event) => event.type === 'session.status' && event.status === 'waiting')).toEqual([]);
});

test('when a rule denies a request, the agent gets the rule’s note as the reason', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, DENY_DATE);
  const id = await begin(setup, 'run date');
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'denied', message: DENY_DATE.note, actor: { kind: 'rule', id: rule.id } });
  expect(await setup.event(id, 'tool.completed')).toMatchObject({ isError: true, output: expect.stringContaining('look at the clock on the wall') });
});

test('a revoked rule no longer answers requests, and its earlier decisions remain', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, ALLOW_DATE);
  const before = await begin(setup, 'run date');
  await resolvedIn(setup, before);
  await workspace(setup, { type: 'rule.revoke', commandId: freshCommandId(), ruleId: rule.id });
  const after = await begin(setup, 'run date');
  await asksIn(setup, after);
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([after]);
  expect(setup.events(before).filter((event) => event.type === 'permission.resolved')).toHaveLength(1);
  expect(setup.engine.rules()).toEqual([]);
});

test('[R156] a new rule answers matching pending requests of all sessions at once', async () => {
  const setup = await createEngine();
  const ids = [await begin(setup, 'run date'), await begin(setup, 'run date'), await begin(setup, 'run pwd')];
  for (const id of ids) await asksIn(setup, id);
  const rule = await makeRule(setup, ALLOW_DATE);
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([ids[2]]);
  for (const id of ids.slice(0, 2)) {
    expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: rule.id } });
    expect(await setup.event(id, 'turn.completed')).toMatchObject({ isError: false });
  }
});

test('a rule that was stored but not applied before the server died is applied once the next server has found the agent', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'run date');
  await asksIn(setup, id);
  const ruleId = await storeRuleWithoutApplying(setup, ALLOW_DATE);
  await setup.reopen();
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: ruleId } });
  expect(await setup.event(id, 'turn.completed')).toMatchObject({ isError: false });
});

/** An agent that asks after its server is gone, and a rule that was stored but not applied. */
async function askedWithoutServer(setup: EngineSetup) {
  const id = await begin(setup, 'run date');
  const { run } = await setup.event(id, 'run.opened');
  await setup.event(id, 'turn.started');
  const pid = await waitFor('the process', () => setup.engine.session(id)?.pid);
  const ruleId = await storeRuleWithoutApplying(setup, ALLOW_DATE);
  await waitForRequestInOutput(setup, id, run);
  return { id, pid, ruleId };
}
// Slow enough to still be printing when the server stops.
const SLOW = { env: { DEMO_AGENT_PACE_MS: '20' } };

test('a request made while no server was running is answered by rules once it is read', async () => {
  const setup = await createEngine(SLOW);
  const { id, ruleId } = await askedWithoutServer(setup);
  await setup.reopen();
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: ruleId } });
  expect(await setup.event(id, 'turn.completed')).toMatchObject({ isError: false });
});

test('a request that the agent made and withdrew while no server was running is not answered by a rule', async () => {
  const setup = await createEngine(SLOW);
  const { id } = await askedWithoutServer(setup);
  const folder = join(setup.dataDir, 'sessions', id);
  const run = readdirSync(folder).find((name) => name.startsWith('r')) ?? expect.fail('no run');
  const output = join(folder, run, 'out.ndjson');
  const [, request] = /"request":"([^"]+)"/.exec(readFileSync(output, 'utf8')) ?? [];
  appendFileSync(output, `${JSON.stringify({ type: 'withdrawn', request, reason: 'no longer needed' })}\n`);
  await setup.reopen();
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'cancelled' });
  expect(setup.engine.rules()).toMatchObject([{ uses: 0 }]);
});

test('a request of an agent that died lapses instead of being answered by a rule', async () => {
  const setup = await createEngine(SLOW);
  const { id, pid } = await askedWithoutServer(setup);
  process.kill(pid, 'SIGKILL');
  await setup.reopen();
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'lapsed' });
  expect(setup.engine.rules()).toMatchObject([{ uses: 0 }]);
});

test('while a dead agent is not yet noticed, neither a new rule nor a person can answer its request', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'run date');
  const { requestId } = await setup.event(id, 'permission.requested');
  const pid = await waitFor('a pid', () => setup.engine.session(id)?.pid);
  await setup.close();
  process.kill(pid, 'SIGKILL');
  await waitFor('the process to end', () => !existsSync(`/proc/${pid}`));
  await setup.reopen();
  await makeRule(setup, ALLOW_DATE);
  const answer = { type: 'permission.answer', commandId: freshCommandId(), sessionId: id, requestId, behavior: 'allow' } as const;
  expect(await setup.engine.submit(answer, ADA)).toMatchObject({ refused: expect.stringMatching(/conflict|already-answered/) });
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'lapsed' });
  expect(setup.engine.rules()).toMatchObject([{ uses: 0 }]);
});

test('a rule applies only in its scope: one session, or one folder and everything below it', async () => {
  const setup = await createEngine({ maxLive: 9 });
  const [project, other] = [join(setup.folder, 'project'), join(setup.folder, 'other')];
  for (const folder of [join(project, 'deep'), other]) mkdirSync(folder, { recursive: true });
  await makeRule(setup, { ...ALLOW_DATE, scope: { kind: 'project', folder: `${project}/deep/..` } });
  const inside = await begin(setup, 'run date', join(project, 'deep'));
  const outside = await begin(setup, 'run date', other);
  expect(await resolvedIn(setup, inside)).toMatchObject({ outcome: 'allowed' });
  await asksIn(setup, outside);
  await makeRule(setup, { ...ALLOW_DATE, scope: { kind: 'session', sessionId: outside } });
  expect(await resolvedIn(setup, outside)).toMatchObject({ outcome: 'allowed' });
  const another = await begin(setup, 'run date', other);
  await asksIn(setup, another);
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([another]);
});

test('[R158] uses of a rule are counted exactly across restarts, including uses in deleted sessions', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, ALLOW_DATE);
  expect(rule).toMatchObject({ uses: 0 });
  const first = await begin(setup, 'run date');
  await setup.event(first, 'turn.completed');
  await setup.reopen();
  const second = await begin(setup, 'run date');
  const resolved = await resolvedIn(setup, second);
  await setup.do({ type: 'session.delete', sessionId: first });
  await setup.engine.drain();
  await setup.reopen();
  expect(setup.engine.rules()).toMatchObject([{ id: rule.id, uses: 2, lastUsedAt: resolved.at }]);
});

test('a session’s rules are revoked when it is deleted, so a new session with the same id is asked about', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'hello');
  await makeRule(setup, { ...ALLOW_DATE, scope: { kind: 'session', sessionId: id } });
  await setup.do({ type: 'session.delete', sessionId: id });
  await setup.engine.drain();
  expect(setup.engine.rules()).toEqual([]);
  await setup.do({ type: 'session.create', sessionId: id, agent: 'demo' as AgentId, cwd: setup.folder, options: {}, prompt: 'run date' });
  await asksIn(setup, id);
  expect(setup.engine.permissions()).toHaveLength(1);
});

test('a rule replaces another one atomically', async () => {
  const setup = await createEngine();
  const wide = await makeRule(setup, { ...ALLOW_DATE, command: 'date *' });
  const narrow = await makeRule(setup, ALLOW_DATE, { replaces: wide.id });
  expect(setup.engine.rules()).toEqual([{ ...narrow, replaces: wide.id }]);
  await setup.reopen();
  expect(setup.engine.rules()).toEqual([{ ...narrow, replaces: wide.id }]);
});

const refused: readonly (readonly [string, Partial<RuleBody>, string])[] = [
  ['two patterns at once', { path: '/etc' }, 'bad-request'],
  ['a session that does not exist', { scope: { kind: 'session', sessionId: 'nobody' as SessionId } }, 'not-found'],
  ['a folder that does not exist', { scope: { kind: 'project', folder: '/no/such/folder' } }, 'bad-request'],
  ['a folder with a zero byte', { scope: { kind: 'project', folder: '/tmp\0' } }, 'bad-request'],
  ['a relative folder', { scope: { kind: 'project', folder: 'src' } }, 'bad-request'],
  ['an agent that does not exist', { agent: 'nobody' as never }, 'bad-request'],
];
for (const [name, change, code] of refused) {
  test(`a rule with ${name} is refused with a reason, and nothing is stored`, async () => {
    const setup = await createEngine();
    const answer = await setup.engine.workspace(creation({ ...ALLOW_DATE, ...change }), ADA);
    expect(answer).toMatchObject({ refused: code, message: expect.stringMatching(/\.$/) });
    expect(await setup.engine.tryRule({ ...ALLOW_DATE, ...change })).toMatchObject({ refused: code });
    expect(setup.engine.rules()).toEqual([]);
  });
}

test('a rule can be tried against past calls, with which of them were asked about and the outcome', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'run date');
  const asked = await asksIn(setup, id);
  await setup.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'deny' });
  await setup.event(id, 'turn.completed');
  const pending = await begin(setup, 'run pwd');
  await asksIn(setup, pending);
  expect(await setup.engine.tryRule(ALLOW_DATE)).toMatchObject({
    calls: 2,
    asked: 2,
    matched: 1,
    matchedAsked: 1,
    examples: [{ sessionId: id, tool: 'Bash', outcome: 'denied' }],
  });
  expect(setup.engine.rules()).toEqual([]);
});

test('[R357] a rule is also tried against the sessions of other programs', async () => {
  const id = 'p_demo_x' as SessionId;
  const run = (seq: number, command: string): Event => ({
    seq,
    at: '2026-03-04T05:06:07.089Z',
    type: 'tool.started',
    toolUseId: `t${seq}`,
    name: 'Bash',
    input: { command },
  });
  const record = [...Array.from({ length: 700 }, (_, at) => run(at + 1, 'pwd')), run(701, 'date')];
  const past: PastSessionsPort = {
    ...createRecordsPort(new Map(), () => ({})),
    newest: () => [{ id, agent: demo.id, agentSessionId: 'x', lastSeq: record.length, cwd: '/work/app' }],
    events: async (_, { before = Number.MAX_SAFE_INTEGER, limit }) => record.filter(({ seq }) => seq < before).slice(-limit),
  };
  const setup = await createEngine({ past });
  const tried = await setup.engine.tryRule(ALLOW_DATE);
  expect(tried).toMatchObject({ calls: 701, matched: 1, asked: 0, examples: [{ sessionId: id, seq: 701 }] });
  expect(tried).not.toHaveProperty('cut');
});
