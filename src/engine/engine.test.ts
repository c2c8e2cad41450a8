import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import type { AgentId, CommandId, SessionId } from '../protocol/ids.ts';

const DEMO = 'demo' as AgentId;

async function create(setup: EngineSetup, prompt?: string): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: {}, ...(prompt !== undefined && { prompt }) });
  return sessionId;
}

test('a message reaches the agent once, and its answer is stored once', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'hello');
  const done = await setup.event(id, 'turn.completed');
  const events = setup.events(id);
  expect(done.isError).toBe(false);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === 'user.message')).toHaveLength(1);
  expect(events.some((event) => event.type === 'assistant.text')).toBe(true);
  await setup.event(id, 'session.status', (event) => event.status === 'idle' && event.cause === 'turn.completed');
});

test('a second message waits until the first turn is over', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'hello');
  const second = randomUUID() as CommandId;
  await setup.do({ type: 'input.send', sessionId: id, commandId: second, text: 'think' });
  await setup.event(id, 'input.consumed', (event) => event.commandId === second);
  const types = setup.events(id).flatMap((event) => (event.type === 'turn.completed' || event.type === 'input.delivered' ? [event.type] : []));
  expect(types.slice(0, 3)).toEqual(['input.delivered', 'turn.completed', 'input.delivered']);
});

test('[R22] a pending request survives a restart of the engine, and its answer reaches the agent', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'write');
  const asked = await setup.event(id, 'permission.requested');
  expect(setup.engine.session(id)?.status).toBe('waiting');
  await setup.reopen();
  expect(setup.engine.permissions().map((open) => open.requestId)).toEqual([asked.requestId]);
  await setup.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'allow' });
  const done = await setup.event(id, 'turn.completed');
  expect(done.isError).toBe(false);
  expect(setup.events(id).some((event) => event.type === 'tool.completed' && event.change !== undefined)).toBe(true);
});

test('[R5] a command id is executed once, and refused for different content', async () => {
  const setup = await createEngine();
  const id = await create(setup);
  const commandId = randomUUID() as CommandId;
  const first = await setup.do({ type: 'input.send', sessionId: id, commandId, text: 'hello' });
  const again = await setup.do({ type: 'input.send', sessionId: id, commandId, text: 'hello' });
  expect(again).toEqual(first);
  expect(setup.events(id).filter((event) => event.type === 'input.accepted')).toHaveLength(1);
  await expect(setup.do({ type: 'input.send', sessionId: id, commandId, text: 'other' })).rejects.toThrow('conflict');
});

test('session.stop ends the agent, and the next message resumes its conversation', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'hello');
  await setup.event(id, 'turn.completed');
  await setup.do({ type: 'session.stop', sessionId: id });
  await setup.event(id, 'session.status', (event) => event.status === 'ended');
  await setup.do({ type: 'input.send', sessionId: id, text: 'think' });
  const opened = await setup.event(id, 'run.opened', (event) => event.mode === 'resume');
  expect(opened.reason).toBe('input.send');
  await setup.event(id, 'turn.completed', (event) => event.seq > opened.seq);
});

test('[R72] when the disk is nearly full, agents are interrupted and messages are refused until there is space again', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'wait');
  await setup.event(id, 'turn.started');
  const notices: string[] = [];
  setup.engine.watch('*', (news) => news.kind === 'notice' && notices.push(`${news.code} ${news.level}`));
  setup.engine.diskChanged(true);
  const done = await setup.event(id, 'turn.completed');
  expect(done.interrupted).toBe(true);
  await expect(setup.do({ type: 'input.send', sessionId: id, text: 'hello' })).rejects.toThrow('disk-low');
  setup.engine.diskChanged(false);
  await setup.do({ type: 'input.send', sessionId: id, text: 'hello' });
  await setup.event(id, 'turn.completed', (event) => event.seq > done.seq && !event.interrupted);
  expect(notices).toEqual(['disk error', 'disk info']);
});

test('values of a session’s environment reach the agent and are in no event', async () => {
  const setup = await createEngine();
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: { env: { TOP_SECRET: 'swordfish' } }, prompt: 'hello' });
  await setup.event(sessionId, 'turn.completed');
  const pid = await waitFor('the pid', () => setup.engine.session(sessionId)?.pid);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain('TOP_SECRET=swordfish');
  expect(JSON.stringify(setup.events(sessionId))).not.toContain('swordfish');
});

const folders = [
  ['a relative path', 'here', 'bad-request'],
  ['a folder that does not exist', '/nowhere/at/all', 'bad-request'],
  ['a folder outside the allowed roots', '/', 'not-allowed-folder'],
] as const;
for (const [name, cwd, refusal] of folders) {
  test(`a session in ${name} is refused`, async () => {
    const setup = await createEngine();
    await expect(setup.do({ type: 'session.create', sessionId: 's1' as SessionId, agent: DEMO, cwd, options: {} })).rejects.toThrow(refusal);
    expect(setup.engine.sessions()).toEqual([]);
  });
}

test('a link out of the allowed roots is refused by its target', async () => {
  const setup = await createEngine();
  symlinkSync('/', join(setup.folder, 'out'));
  await expect(setup.do({ type: 'session.create', sessionId: 's1' as SessionId, agent: DEMO, cwd: join(setup.folder, 'out'), options: {} })).rejects.toThrow(
    'not-allowed-folder',
  );
});

test('a message of several megabytes reaches the agent complete, and its event contains only the start', async () => {
  const setup = await createEngine();
  const id = await create(setup);
  const text = `echo ${'x'.repeat(3_000_000)}end`;
  await setup.do({ type: 'input.send', sessionId: id, text });
  const accepted = await setup.event(id, 'input.accepted');
  expect(accepted.text.length).toBeLessThan(10_000);
  expect(Buffer.from(setup.engine.blob(accepted.blobs?.text?.sha256 ?? '') ?? []).toString()).toBe(text);
  const answer = await setup.event(id, 'assistant.text');
  const whole = answer.blobs?.text === undefined ? answer.text : Buffer.from(setup.engine.blob(answer.blobs.text.sha256) ?? []).toString();
  expect(whole).toContain('end');
});

test('a backup made while an agent works can be opened and is complete', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'wait');
  await setup.event(id, 'turn.started');
  const path = await setup.engine.backup();
  mkdirSync(join(setup.folder, 'copy'));
  copyFileSync(path, join(setup.folder, 'copy', 'journal.db'));
  const copy = openSqliteJournal({ dataDir: join(setup.folder, 'copy') });
  expect(copy.after(id, 0, 1000).map((event) => event.type)).toContain('turn.started');
  copy.close();
});
