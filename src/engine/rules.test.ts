import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineBench } from '../../test/support/engine/test-engine.ts';
import { begin, creation, DATES, freshCommand, hasAsked, house, keepRuleUnspoken, makeRule, NO_DATES } from '../../test/support/rules-bench.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { RuleBody } from '../protocol/rule.ts';

const resolvedIn = (bench: EngineBench, id: SessionId) => bench.event(id, 'permission.resolved');
const asksIn = (bench: EngineBench, id: SessionId) => bench.event(id, 'permission.requested');

test('a rule allows without asking, and its decision is an event with the rule as its author', async () => {
  const bench = await createEngine();
  const rule = await makeRule(bench, DATES);
  const id = await begin(bench, 'run date');
  const resolved = await resolvedIn(bench, id);
  const asked = await asksIn(bench, id);
  await bench.event(id, 'tool.completed', (event) => !event.isError);
  expect(resolved).toMatchObject({ outcome: 'allowed', requestId: asked.requestId, actor: { kind: 'rule', id: rule.id }, rules: [rule.id] });
  expect(bench.events(id).filter((event) => event.type === 'session.status' && event.status === 'waiting')).toEqual([]);
});

test('a rule that denies tells the agent why', async () => {
  const bench = await createEngine();
  const rule = await makeRule(bench, NO_DATES);
  const id = await begin(bench, 'run date');
  expect(await resolvedIn(bench, id)).toMatchObject({ outcome: 'denied', message: NO_DATES.note, actor: { kind: 'rule', id: rule.id } });
  expect(await bench.event(id, 'tool.completed')).toMatchObject({ isError: true, output: expect.stringContaining('look at the clock on the wall') });
});

test('a revoked rule says nothing from then on, and what it decided stays decided', async () => {
  const bench = await createEngine();
  const rule = await makeRule(bench, DATES);
  const before = await begin(bench, 'run date');
  await resolvedIn(bench, before);
  await house(bench, { type: 'rule.revoke', commandId: freshCommand(), ruleId: rule.id });
  const after = await begin(bench, 'run date');
  await asksIn(bench, after);
  expect(bench.engine.permissions().map((open) => open.sessionId)).toEqual([after]);
  expect(bench.events(before).filter((event) => event.type === 'permission.resolved')).toHaveLength(1);
  expect(bench.engine.rules()).toEqual([]);
});

test('[R156] a new rule speaks at once about everything that waits already, in every session', async () => {
  const bench = await createEngine();
  const ids = [await begin(bench, 'run date'), await begin(bench, 'run date'), await begin(bench, 'run pwd')];
  for (const id of ids) await asksIn(bench, id);
  const rule = await makeRule(bench, DATES);
  expect(bench.engine.permissions().map((open) => open.sessionId)).toEqual([ids[2]]);
  for (const id of ids.slice(0, 2)) {
    expect(await resolvedIn(bench, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: rule.id } });
    expect(await bench.event(id, 'turn.completed')).toMatchObject({ isError: false });
  }
});

test('a rule that was kept, but could not speak before its server died, speaks when the next one has found the agent', async () => {
  const bench = await createEngine();
  const id = await begin(bench, 'run date');
  await asksIn(bench, id);
  const ruleId = await keepRuleUnspoken(bench, DATES);
  await bench.reopen();
  expect(await resolvedIn(bench, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: ruleId } });
  expect(await bench.event(id, 'turn.completed')).toMatchObject({ isError: false });
});

/** An agent that asks after its server is gone, and a rule that was made too late to be heard. */
async function askedUnheard(bench: EngineBench) {
  const id = await begin(bench, 'run date');
  const { run } = await bench.event(id, 'run.opened');
  await bench.event(id, 'turn.started');
  const pid = await waitFor('the process', () => bench.engine.session(id)?.pid);
  const ruleId = await keepRuleUnspoken(bench, DATES);
  await hasAsked(bench, id, run);
  return { id, pid, ruleId };
}
// Slow enough to be still talking when the server goes.
const SLOW = { env: { DEMO_AGENT_PACE_MS: '20' } };

test('what was asked while no server lived is answered by the rules when it is heard', async () => {
  const bench = await createEngine(SLOW);
  const { id, ruleId } = await askedUnheard(bench);
  await bench.reopen();
  expect(await resolvedIn(bench, id)).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: ruleId } });
  expect(await bench.event(id, 'turn.completed')).toMatchObject({ isError: false });
});

test('a rule does not answer for an agent that died with its question: that one lapses', async () => {
  const bench = await createEngine(SLOW);
  const { id, pid } = await askedUnheard(bench);
  process.kill(pid, 'SIGKILL');
  await bench.reopen();
  expect(await resolvedIn(bench, id)).toMatchObject({ outcome: 'lapsed' });
  expect(bench.engine.rules()).toMatchObject([{ uses: 0 }]);
});

test('a rule that is made before a dead agent is noticed does not answer for it, and no person can', async () => {
  const bench = await createEngine();
  const id = await begin(bench, 'run date');
  const { requestId } = await bench.event(id, 'permission.requested');
  const pid = await waitFor('a pid', () => bench.engine.session(id)?.pid);
  await bench.close();
  process.kill(pid, 'SIGKILL');
  await waitFor('its end', () => !existsSync(`/proc/${pid}`));
  await bench.reopen();
  await makeRule(bench, DATES);
  const answer = { type: 'permission.answer', commandId: freshCommand(), sessionId: id, requestId, behavior: 'allow' } as const;
  expect(await bench.engine.submit(answer, ADA)).toMatchObject({ refused: expect.stringMatching(/conflict|already-answered/) });
  expect(await resolvedIn(bench, id)).toMatchObject({ outcome: 'lapsed' });
  expect(bench.engine.rules()).toMatchObject([{ uses: 0 }]);
});

test('a rule holds where its scope says: one session, one folder and what is in it, or everywhere', async () => {
  const bench = await createEngine({ maxLive: 9 });
  const [project, other] = [join(bench.folder, 'project'), join(bench.folder, 'other')];
  for (const folder of [join(project, 'deep'), other]) mkdirSync(folder, { recursive: true });
  await makeRule(bench, { ...DATES, scope: { kind: 'project', folder: `${project}/deep/..` } });
  const inside = await begin(bench, 'run date', join(project, 'deep'));
  const outside = await begin(bench, 'run date', other);
  expect(await resolvedIn(bench, inside)).toMatchObject({ outcome: 'allowed' });
  await asksIn(bench, outside);
  await makeRule(bench, { ...DATES, scope: { kind: 'session', sessionId: outside } });
  expect(await resolvedIn(bench, outside)).toMatchObject({ outcome: 'allowed' });
  const another = await begin(bench, 'run date', other);
  await asksIn(bench, another);
  expect(bench.engine.permissions().map((open) => open.sessionId)).toEqual([another]);
});

test('[R158] uses are counted exactly: over restarts, and also those in sessions that are deleted', async () => {
  const bench = await createEngine();
  const rule = await makeRule(bench, DATES);
  expect(rule).toMatchObject({ uses: 0 });
  const first = await begin(bench, 'run date');
  await bench.event(first, 'turn.completed');
  await bench.reopen();
  const second = await begin(bench, 'run date');
  const resolved = await resolvedIn(bench, second);
  await bench.do({ type: 'session.delete', sessionId: first });
  await bench.engine.drain();
  await bench.reopen();
  expect(bench.engine.rules()).toMatchObject([{ id: rule.id, uses: 2, lastUsedAt: resolved.at }]);
});

test('the rules of a session end with it: another session of the same id is asked about', async () => {
  const bench = await createEngine();
  const id = await begin(bench, 'hello');
  await makeRule(bench, { ...DATES, scope: { kind: 'session', sessionId: id } });
  await bench.do({ type: 'session.delete', sessionId: id });
  await bench.engine.drain();
  expect(bench.engine.rules()).toEqual([]);
  await bench.do({ type: 'session.create', sessionId: id, agent: 'demo' as AgentId, cwd: bench.folder, options: {}, prompt: 'run date' });
  await asksIn(bench, id);
  expect(bench.engine.permissions()).toHaveLength(1);
});

test('a narrower rule takes the place of another in one moment', async () => {
  const bench = await createEngine();
  const wide = await makeRule(bench, { ...DATES, command: 'date *' });
  const narrow = await makeRule(bench, DATES, { replaces: wide.id });
  expect(bench.engine.rules()).toEqual([{ ...narrow, replaces: wide.id }]);
  await bench.reopen();
  expect(bench.engine.rules()).toEqual([{ ...narrow, replaces: wide.id }]);
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
    const bench = await createEngine();
    const answer = await bench.engine.house(creation({ ...DATES, ...change }), ADA);
    expect(answer).toMatchObject({ refused: code, message: expect.stringMatching(/\.$/) });
    expect(await bench.engine.tryRule({ ...DATES, ...change })).toMatchObject({ refused: code });
    expect(bench.engine.rules()).toEqual([]);
  });
}

test('a rule is tried against the past: what was called, what was asked about, and what became of it', async () => {
  const bench = await createEngine();
  const id = await begin(bench, 'run date');
  const asked = await asksIn(bench, id);
  await bench.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'deny' });
  await bench.event(id, 'turn.completed');
  const waits = await begin(bench, 'run pwd');
  await asksIn(bench, waits);
  expect(await bench.engine.tryRule(DATES)).toMatchObject({
    calls: 2,
    asked: 2,
    matched: 1,
    matchedAsked: 1,
    examples: [{ sessionId: id, tool: 'Bash', outcome: 'denied' }],
  });
  expect(bench.engine.rules()).toEqual([]);
});
