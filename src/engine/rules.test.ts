import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begin, creation, DATES, freshCommand, hasAsked, makeRule, NO_DATES, storeRuleWithoutApplying, workspace } from '../../test/support/engine/rules.ts';
import { ADA, createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { RuleBody } from '../protocol/rule.ts';

const resolvedIn = (setup: EngineSetup, id: SessionId) => setup.event(id, 'permission.resolved');
const asksIn = (setup: EngineSetup, id: SessionId) => setup.event(id, 'permission.requested');

test('a rule allows without asking, and its decision is an event with the rule as its author', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, DATES);
  const id = await begin(setup, 'run date');
  const resolved = await resolvedIn(setup, id);
  const asked = await asksIn(setup, id);
  await setup.event(id, 'tool.completed', (event) => !event.isError);
  expect(resolved).toMatchObject({ outcome: 'allowed', requestId: asked.requestId, actor: { kind: 'rule', id: rule.id }, rules: [rule.id] });
  expect(setup.events(id).filter((event) => event.type === 'session.status' && event.status === 'waiting')).toEqual([]);
});

test('a rule that denies tells the agent why', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, NO_DATES);
  const id = await begin(setup, 'run date');
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'denied', message: NO_DATES.note, actor: { kind: 'rule', id: rule.id } });
  expect(await setup.event(id, 'tool.completed')).toMatchObject({ isError: true, output: expect.stringContaining('look at the clock on the wall') });
});

test('a revoked rule says nothing from then on, and what it decided stays decided', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, DATES);
  const before = await begin(setup, 'run date');
  await resolvedIn(setup, before);
  await workspace(setup, { type: 'rule.revoke', commandId: freshCommand(), ruleId: rule.id });
  const after = await begin(setup, 'run date');
  await asksIn(setup, after);
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([after]);
  expect(setup.events(before).filter((event) => event.type === 'permission.resolved')).toHaveLength(1);
  expect(setup.engine.rules()).toEqual([]);
});

test('[R156] a new rule speaks at once about everything that waits already, in every session', async () => {
  const setup = await createEngine();
  const ids = [await begin(setup, 'run date'), await begin(setup, 'run date'), await begin(setup, 'run pwd')];
  for (const id of ids) await asksIn(setup, id);
  const rule = await makeRule(setup, DATES);
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([ids[2]]);
  for (const id of ids.slice(0, 2)) {
    expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: rule.id } });
    expect(await setup.event(id, 'turn.completed')).toMatchObject({ isError: false });
  }
});

test('a rule that was kept, but could not speak before its server died, speaks when the next one has found the agent', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'run date');
  await asksIn(setup, id);
  const ruleId = await storeRuleWithoutApplying(setup, DATES);
  await setup.reopen();
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: ruleId } });
  expect(await setup.event(id, 'turn.completed')).toMatchObject({ isError: false });
});

/** An agent that asks after its server is gone, and a rule that was made too late to be heard. */
async function askedUnheard(setup: EngineSetup) {
  const id = await begin(setup, 'run date');
  const { run } = await setup.event(id, 'run.opened');
  await setup.event(id, 'turn.started');
  const pid = await waitFor('the process', () => setup.engine.session(id)?.pid);
  const ruleId = await storeRuleWithoutApplying(setup, DATES);
  await hasAsked(setup, id, run);
  return { id, pid, ruleId };
}
// Slow enough to be still talking when the server goes.
const SLOW = { env: { DEMO_AGENT_PACE_MS: '20' } };

test('what was asked while no server lived is answered by the rules when it is read', async () => {
  const setup = await createEngine(SLOW);
  const { id, ruleId } = await askedUnheard(setup);
  await setup.reopen();
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: ruleId } });
  expect(await setup.event(id, 'turn.completed')).toMatchObject({ isError: false });
});

test('a rule does not answer for an agent that died with its question: that one lapses', async () => {
  const setup = await createEngine(SLOW);
  const { id, pid } = await askedUnheard(setup);
  process.kill(pid, 'SIGKILL');
  await setup.reopen();
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'lapsed' });
  expect(setup.engine.rules()).toMatchObject([{ uses: 0 }]);
});

test('a rule that is made before a dead agent is noticed does not answer for it, and no person can', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'run date');
  const { requestId } = await setup.event(id, 'permission.requested');
  const pid = await waitFor('a pid', () => setup.engine.session(id)?.pid);
  await setup.close();
  process.kill(pid, 'SIGKILL');
  await waitFor('its end', () => !existsSync(`/proc/${pid}`));
  await setup.reopen();
  await makeRule(setup, DATES);
  const answer = { type: 'permission.answer', commandId: freshCommand(), sessionId: id, requestId, behavior: 'allow' } as const;
  expect(await setup.engine.submit(answer, ADA)).toMatchObject({ refused: expect.stringMatching(/conflict|already-answered/) });
  expect(await resolvedIn(setup, id)).toMatchObject({ outcome: 'lapsed' });
  expect(setup.engine.rules()).toMatchObject([{ uses: 0 }]);
});

test('a rule holds where its scope says: one session, one folder and what is in it, or everywhere', async () => {
  const setup = await createEngine({ maxLive: 9 });
  const [project, other] = [join(setup.folder, 'project'), join(setup.folder, 'other')];
  for (const folder of [join(project, 'deep'), other]) mkdirSync(folder, { recursive: true });
  await makeRule(setup, { ...DATES, scope: { kind: 'project', folder: `${project}/deep/..` } });
  const inside = await begin(setup, 'run date', join(project, 'deep'));
  const outside = await begin(setup, 'run date', other);
  expect(await resolvedIn(setup, inside)).toMatchObject({ outcome: 'allowed' });
  await asksIn(setup, outside);
  await makeRule(setup, { ...DATES, scope: { kind: 'session', sessionId: outside } });
  expect(await resolvedIn(setup, outside)).toMatchObject({ outcome: 'allowed' });
  const another = await begin(setup, 'run date', other);
  await asksIn(setup, another);
  expect(setup.engine.permissions().map((open) => open.sessionId)).toEqual([another]);
});

test('[R158] uses are counted exactly: over restarts, and also those in sessions that are deleted', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, DATES);
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

test('the rules of a session end with it: another session of the same id is asked about', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'hello');
  await makeRule(setup, { ...DATES, scope: { kind: 'session', sessionId: id } });
  await setup.do({ type: 'session.delete', sessionId: id });
  await setup.engine.drain();
  expect(setup.engine.rules()).toEqual([]);
  await setup.do({ type: 'session.create', sessionId: id, agent: 'demo' as AgentId, cwd: setup.folder, options: {}, prompt: 'run date' });
  await asksIn(setup, id);
  expect(setup.engine.permissions()).toHaveLength(1);
});

test('a narrower rule takes the place of another in one moment', async () => {
  const setup = await createEngine();
  const wide = await makeRule(setup, { ...DATES, command: 'date *' });
  const narrow = await makeRule(setup, DATES, { replaces: wide.id });
  expect(setup.engine.rules()).toEqual([{ ...narrow, replaces: wide.id }]);
  await setup.reopen();
  expect(setup.engine.rules()).toEqual([{ ...narrow, replaces: wide.id }]);
});

const refused: readonly (readonly [string, Partial<RuleBody>, string])[] = [
  ['two patterns at once', { path: '/etc' }, 'bad-request'],
  ['a session that is not there', { scope: { kind: 'session', sessionId: 'nobody' as SessionId } }, 'not-found'],
  ['a folder that is not there', { scope: { kind: 'project', folder: '/no/such/folder' } }, 'bad-request'],
  ['a folder with a zero byte', { scope: { kind: 'project', folder: '/tmp\0' } }, 'bad-request'],
  ['a folder that is not whole', { scope: { kind: 'project', folder: 'src' } }, 'bad-request'],
  ['an agent that is not there', { agent: 'nobody' as never }, 'bad-request'],
];
for (const [name, change, code] of refused) {
  test(`a rule about ${name} is refused in words, and nothing is kept`, async () => {
    const setup = await createEngine();
    const answer = await setup.engine.workspace(creation({ ...DATES, ...change }), ADA);
    expect(answer).toMatchObject({ refused: code, message: expect.stringMatching(/\.$/) });
    expect(await setup.engine.tryRule({ ...DATES, ...change })).toMatchObject({ refused: code });
    expect(setup.engine.rules()).toEqual([]);
  });
}

test('a rule is tried against the past: what was called, what was asked about, and what became of it', async () => {
  const setup = await createEngine();
  const id = await begin(setup, 'run date');
  const asked = await asksIn(setup, id);
  await setup.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'deny' });
  await setup.event(id, 'turn.completed');
  const waits = await begin(setup, 'run pwd');
  await asksIn(setup, waits);
  expect(await setup.engine.tryRule(DATES)).toMatchObject({
    calls: 2,
    asked: 2,
    matched: 1,
    matchedAsked: 1,
    examples: [{ sessionId: id, tool: 'Bash', outcome: 'denied' }],
  });
  expect(setup.engine.rules()).toEqual([]);
});
