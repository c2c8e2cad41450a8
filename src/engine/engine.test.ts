import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine, type EngineBench } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import type { AgentId, CommandId, SessionId } from '../protocol/ids.ts';

const DEMO = 'demo' as AgentId;

async function create(bench: EngineBench, prompt?: string): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: DEMO, cwd: bench.folder, options: {}, ...(prompt !== undefined && { prompt }) });
  return sessionId;
}

test('a message goes to the agent and its answer comes back, once', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'hello');
  const done = await bench.event(id, 'turn.completed');
  const events = bench.events(id);
  expect(done.isError).toBe(false);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === 'user.message')).toHaveLength(1);
  expect(events.some((event) => event.type === 'assistant.text')).toBe(true);
  await bench.event(id, 'session.status', (event) => event.status === 'idle' && event.cause === 'turn.completed');
});

test('a second message waits until the first turn is over', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'hello');
  const second = randomUUID() as CommandId;
  await bench.do({ type: 'input.send', sessionId: id, commandId: second, text: 'think' });
  await bench.event(id, 'input.consumed', (event) => event.commandId === second);
  const types = bench.events(id).flatMap((event) => (event.type === 'turn.completed' || event.type === 'input.delivered' ? [event.type] : []));
  expect(types.slice(0, 3)).toEqual(['input.delivered', 'turn.completed', 'input.delivered']);
});

test('[R22] a permission that waits outlives the engine, and its answer reaches the agent', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'write');
  const asked = await bench.event(id, 'permission.requested');
  expect(bench.engine.session(id)?.status).toBe('waiting');
  await bench.reopen();
  expect(bench.engine.permissions().map((open) => open.requestId)).toEqual([asked.requestId]);
  await bench.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'allow' });
  const done = await bench.event(id, 'turn.completed');
  expect(done.isError).toBe(false);
  expect(bench.events(id).some((event) => event.type === 'tool.completed' && event.change !== undefined)).toBe(true);
});

test('[R5] the same command id is carried out once, and refused for something else', async () => {
  const bench = await createEngine();
  const id = await create(bench);
  const commandId = randomUUID() as CommandId;
  const first = await bench.do({ type: 'input.send', sessionId: id, commandId, text: 'hello' });
  const again = await bench.do({ type: 'input.send', sessionId: id, commandId, text: 'hello' });
  expect(again).toEqual(first);
  expect(bench.events(id).filter((event) => event.type === 'input.accepted')).toHaveLength(1);
  await expect(bench.do({ type: 'input.send', sessionId: id, commandId, text: 'other' })).rejects.toThrow('conflict');
});

test('stop ends the agent, and the next message wakes it with what it knew', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'hello');
  await bench.event(id, 'turn.completed');
  await bench.do({ type: 'session.stop', sessionId: id });
  await bench.event(id, 'session.status', (event) => event.status === 'ended');
  await bench.do({ type: 'input.send', sessionId: id, text: 'think' });
  const opened = await bench.event(id, 'run.opened', (event) => event.mode === 'resume');
  expect(opened.reason).toBe('input.send');
  await bench.event(id, 'turn.completed', (event) => event.seq > opened.seq);
});

test('[R72] a disk that fills interrupts the agents and refuses messages until there is room again', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'wait');
  await bench.event(id, 'turn.started');
  const notices: string[] = [];
  bench.engine.watch('*', (news) => news.kind === 'notice' && notices.push(`${news.code} ${news.level}`));
  bench.engine.diskChanged(true);
  const done = await bench.event(id, 'turn.completed');
  expect(done.interrupted).toBe(true);
  await expect(bench.do({ type: 'input.send', sessionId: id, text: 'hello' })).rejects.toThrow('disk-low');
  bench.engine.diskChanged(false);
  await bench.do({ type: 'input.send', sessionId: id, text: 'hello' });
  await bench.event(id, 'turn.completed', (event) => event.seq > done.seq && !event.interrupted);
  expect(notices).toEqual(['disk error', 'disk info']);
});

test('a place is made for a message by putting the longest idle to sleep', async () => {
  const bench = await createEngine({ maxLive: 1 });
  const first = await create(bench, 'hello');
  await bench.event(first, 'turn.completed');
  await expect(create(bench)).rejects.toThrow('too-many-live');
  await bench.do({ type: 'session.stop', sessionId: first });
  await bench.event(first, 'session.status', (event) => event.status === 'ended');
  const second = await create(bench, 'hello');
  await bench.event(second, 'session.status', (event) => event.status === 'idle');
  await bench.do({ type: 'input.send', sessionId: first, text: 'hello' });
  await bench.event(first, 'session.status', (event) => event.cause === 'waits for a free place');
  await bench.event(second, 'session.status', (event) => event.status === 'sleeping');
  await bench.event(first, 'turn.completed', (event) => event.seq > 20 || bench.events(first).filter((other) => other.type === 'turn.completed').length === 2);
});

test('values of a session’s environment reach the agent and stand in no event', async () => {
  const bench = await createEngine();
  const sessionId = `s-${randomUUID()}` as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: DEMO, cwd: bench.folder, options: { env: { TOP_SECRET: 'swordfish' } }, prompt: 'hello' });
  await bench.event(sessionId, 'turn.completed');
  const pid = await waitFor('the process to be known', () => bench.engine.session(sessionId)?.pid);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain('TOP_SECRET=swordfish');
  expect(JSON.stringify(bench.events(sessionId))).not.toContain('swordfish');
});

const folders = [
  ['a relative path', 'here', 'bad-request'],
  ['a folder that is not there', '/nowhere/at/all', 'bad-request'],
  ['a folder outside the allowed ones', '/', 'not-allowed-folder'],
] as const;
for (const [name, cwd, refusal] of folders) {
  test(`${name} is refused in words`, async () => {
    const bench = await createEngine();
    await expect(bench.do({ type: 'session.create', sessionId: 's1' as SessionId, agent: DEMO, cwd, options: {} })).rejects.toThrow(refusal);
    expect(bench.engine.sessions()).toEqual([]);
  });
}

test('a link that leads out of the allowed folders is judged by where it leads', async () => {
  const bench = await createEngine();
  symlinkSync('/', join(bench.folder, 'out'));
  await expect(bench.do({ type: 'session.create', sessionId: 's1' as SessionId, agent: DEMO, cwd: join(bench.folder, 'out'), options: {} })).rejects.toThrow(
    'not-allowed-folder',
  );
});

test('a message of several megabytes reaches the agent whole, and its event holds only the head', async () => {
  const bench = await createEngine();
  const id = await create(bench);
  const text = `echo ${'x'.repeat(3_000_000)}end`;
  await bench.do({ type: 'input.send', sessionId: id, text });
  const accepted = await bench.event(id, 'input.accepted');
  expect(accepted.text.length).toBeLessThan(10_000);
  expect(Buffer.from(bench.engine.blob(accepted.blobs?.text?.sha256 ?? '') ?? []).toString()).toBe(text);
  const answer = await bench.event(id, 'assistant.text');
  const whole = answer.blobs?.text === undefined ? answer.text : Buffer.from(bench.engine.blob(answer.blobs.text.sha256) ?? []).toString();
  expect(whole).toContain('end');
});

test('a backup taken while an agent works can be opened and has what was there', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'wait');
  await bench.event(id, 'turn.started');
  const path = await bench.engine.backup();
  mkdirSync(join(bench.folder, 'copy'));
  copyFileSync(path, join(bench.folder, 'copy', 'journal.db'));
  const copy = openSqliteJournal({ dataDir: join(bench.folder, 'copy') });
  expect(copy.after(id, 0, 1000).map((event) => event.type)).toContain('turn.started');
  copy.close();
});
