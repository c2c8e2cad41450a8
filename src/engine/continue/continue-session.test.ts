import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { demo } from '../../agents/demo/index.ts';
import type { Adapter } from '../../agents/port/adapter.ts';
import type { ContinueFrom } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';

const DEMO = 'demo' as AgentId;

interface CreateOptions {
  readonly goOn?: ContinueFrom;
  readonly prompt?: string;
  readonly commandId?: CommandId;
  readonly sessionId?: SessionId;
}

async function create(setup: EngineSetup, { sessionId = `s-${randomUUID()}` as SessionId, ...more }: CreateOptions): Promise<SessionId> {
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: {}, ...more });
  return sessionId;
}

async function refusal(setup: EngineSetup, goOn: ContinueFrom): Promise<object> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  const commandId = randomUUID() as CommandId;
  return setup.engine.submit({ type: 'session.create', commandId, sessionId, agent: DEMO, cwd: setup.folder, options: {}, goOn }, ADA);
}

const turnsDone = async (setup: EngineSetup, id: SessionId, count: number): Promise<void> => {
  let seen = 0;
  await setup.event(id, 'turn.completed', () => {
    seen = setup.events(id).filter((event) => event.type === 'turn.completed').length;
    return seen >= count;
  });
};

const messagesOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const lastMessage = (setup: EngineSetup, id: SessionId): string => messagesOf(setup.events(id)).at(-1) ?? '';

test('a fork shows and remembers the past of its original, and the original continues separately', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello from before' });
  await turnsDone(setup, id, 1);
  const child = await create(setup, { goOn: { how: 'fork', sessionId: id }, prompt: 'remember' });
  await turnsDone(setup, child, 1);
  const inherited = setup.events(child).filter((event) => event.inherited);
  expect(messagesOf(inherited)).toEqual(messagesOf(setup.events(id)));
  expect(inherited.every((event) => event.src === undefined && event.turnId === undefined)).toBe(true);
  expect(lastMessage(setup, child)).toContain('hello from before');
  expect(setup.engine.session(child)).toMatchObject({ parent: { sessionId: id }, title: 'Fork of hello from before' });
  await setup.do({ type: 'input.send', sessionId: id, text: 'remember' });
  await turnsDone(setup, id, 2);
  expect(lastMessage(setup, id)).toBe('You said, in this order:\n\n1. hello from before');
});

test('[R175] a fork requested twice under one command id is created once, even if the original continued in between', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello' });
  await turnsDone(setup, id, 1);
  const asked = { goOn: { how: 'fork', sessionId: id }, commandId: randomUUID() as CommandId, sessionId: 'copy' as SessionId } as const;
  await create(setup, asked);
  const seq = setup.events('copy' as SessionId).length;
  await setup.do({ type: 'input.send', sessionId: id, text: 'think' });
  await turnsDone(setup, id, 2);
  await setup.reopen();
  await create(setup, asked);
  expect(setup.events('copy' as SessionId).filter((event) => event.type === 'session.created')).toHaveLength(1);
  expect(setup.events('copy' as SessionId).length).toBeGreaterThanOrEqual(seq);
});

test('an agent that can fork only at the end of a conversation is not asked to fork earlier', async () => {
  const setup = await createEngine({ adapters: [{ ...demo, capabilities: { ...demo.capabilities, forkAt: false } } as Adapter] });
  const id = await create(setup, { prompt: 'hello' });
  await turnsDone(setup, id, 1);
  const first = setup.events(id).find((event) => event.type === 'user.message')?.seq ?? 0;
  expect(await refusal(setup, { how: 'fork', sessionId: id, at: first })).toMatchObject({ refused: 'not-supported' });
});

test('an empty session and a session that does not exist cannot be continued', async () => {
  const setup = await createEngine();
  const id = await create(setup, {});
  expect(await refusal(setup, { how: 'fork', sessionId: id })).toMatchObject({ refused: 'cannot-resume' });
  expect(await refusal(setup, { how: 'fork', sessionId: 'nobody' as SessionId })).toMatchObject({ refused: 'not-found' });
  expect(await refusal(setup, { how: 'resume', agentSessionId: randomUUID() })).toMatchObject({ refused: 'cannot-resume' });
  expect(await refusal(setup, { how: 'resume', agentSessionId: '../../secret' })).toMatchObject({ refused: 'cannot-resume' });
});

/** Writes the record of a conversation that none of our sessions has. */
function writeRecord(setup: EngineSetup, id: string, ...lines: readonly object[]): void {
  const folder = join(setup.home, '.signalbox-demo');
  mkdirSync(folder, { recursive: true });
  const all = [{ type: 'session', id, cwd: setup.folder }, ...lines];
  writeFileSync(join(folder, `${id}.jsonl`), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const ONE_TURN = [
  { type: 'user', id: 'u1', text: 'from a terminal' },
  { type: 'answered', id: 'u1', text: 'answered there' },
];

test('a conversation from another program is listed, and is resumed under its own id with its past shown', async () => {
  const setup = await createEngine();
  writeRecord(setup, 'elsewhere-1', ...ONE_TURN);
  const list = await setup.engine.past(DEMO, { cwd: setup.folder, q: 'TERMINAL' });
  expect(list).toMatchObject({ conversations: [{ agentSessionId: 'elsewhere-1', title: 'from a terminal', cwd: setup.folder }], more: false });
  const id = await create(setup, { goOn: { how: 'resume', agentSessionId: 'latest' }, prompt: 'remember' });
  await turnsDone(setup, id, 1);
  expect(messagesOf(setup.events(id).filter((event) => event.inherited))).toEqual(['from a terminal', 'answered there']);
  expect(lastMessage(setup, id)).toContain('1. from a terminal');
  expect(setup.engine.session(id)).toMatchObject({ agentSessionId: 'elsewhere-1', title: 'from a terminal' });
  expect(await setup.engine.past(DEMO, {})).toMatchObject({ conversations: [{ agentSessionId: 'elsewhere-1', sessionId: id }] });
  expect(await refusal(setup, { how: 'resume', agentSessionId: 'elsewhere-1' })).toMatchObject({ refused: 'conflict', message: expect.stringContaining(id) });
});

test('the latest conversation is never a private one', async () => {
  const setup = await createEngine();
  writeRecord(setup, 'open-one', ...ONE_TURN);
  const id = await create(setup, { prompt: 'hello' });
  await turnsDone(setup, id, 1);
  await setup.do({ type: 'session.describe', sessionId: id, closed: true });
  const child = await create(setup, { goOn: { how: 'fork', agentSessionId: 'latest' } });
  expect(setup.events(child)[0]).toMatchObject({ origin: { agentSessionId: 'open-one' } });
});

/** A private session with a handover by the agent: the original, the copy in which the agent was asked, and the new one are on disk. */
async function privateWithCopies(setup: EngineSetup): Promise<{ readonly ids: readonly SessionId[]; readonly conversations: readonly string[] }> {
  const id = await create(setup, { prompt: 'the secret' });
  await turnsDone(setup, id, 1);
  await setup.do({ type: 'session.describe', sessionId: id, closed: true });
  const fresh = await create(setup, { goOn: { how: 'handover', sessionId: id, summary: 'agent' }, prompt: 'remember' });
  await turnsDone(setup, fresh, 2);
  const conversations = [id, fresh].flatMap((each) => setup.events(each).flatMap((event) => (event.type === 'run.opened' ? [event.agentSessionId ?? ''] : [])));
  return { ids: [id, fresh], conversations: [...new Set(conversations)] };
}

const ownersOf = (setup: EngineSetup, conversations: readonly string[]) => conversations.map((conversation) => setup.engine.ownersOfPrivate(conversation));

test('every conversation of a private session stays private to its owner, including handover copies, and after the session is deleted', async () => {
  const setup = await createEngine();
  const { ids, conversations } = await privateWithCopies(setup);
  expect(conversations).toHaveLength(3);
  expect(ownersOf(setup, conversations)).toEqual([['ada'], ['ada'], ['ada']]);
  expect(await refusal(setup, { how: 'fork', agentSessionId: 'latest' })).toMatchObject({ refused: 'cannot-resume' });
  for (const sessionId of ids) {
    await setup.do({ type: 'session.delete', sessionId });
    expect(ownersOf(setup, conversations)).toEqual([['ada'], ['ada'], ['ada']]);
  }
  await setup.engine.drain();
  await setup.reopen();
  expect(setup.engine.sessions()).toEqual([]);
  expect(ownersOf(setup, conversations)).toEqual([['ada'], ['ada'], ['ada']]);
  const again = await create(setup, { goOn: { how: 'fork', agentSessionId: conversations[1] ?? '' } });
  expect(setup.engine.session(again)?.closed).toBe(true);
});

test('the copy in which a summary was requested stays private with its original, even when the new session is made public', async () => {
  const setup = await createEngine();
  const { ids, conversations } = await privateWithCopies(setup);
  await setup.do({ type: 'session.describe', sessionId: ids[1] ?? ('' as SessionId), closed: false });
  expect(ownersOf(setup, conversations)).toEqual([['ada'], ['ada'], []]);
});

test('a session that continues a private session is private too', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello' });
  await turnsDone(setup, id, 1);
  const open = await create(setup, { goOn: { how: 'fork', sessionId: id } });
  await setup.do({ type: 'session.describe', sessionId: id, closed: true });
  const closed = await create(setup, { goOn: { how: 'fork', sessionId: id } });
  expect([open, closed].map((child) => setup.engine.session(child)?.closed ?? false)).toEqual([false, true]);
});

test('records behind links and records of folders where no session may run are not listed', async () => {
  const setup = await createEngine();
  writeRecord(setup, 'here', ...ONE_TURN);
  writeRecord(setup, 'outside', { type: 'session', id: 'outside', cwd: '/etc' });
  const folder = join(setup.home, '.signalbox-demo');
  const text = readFileSync(join(folder, 'outside.jsonl'), 'utf8').split('\n').slice(1).join('\n');
  writeFileSync(join(folder, 'outside.jsonl'), text);
  writeFileSync(join(setup.home, 'secret.jsonl'), text);
  symlinkSync(join(setup.home, 'secret.jsonl'), join(folder, 'linked.jsonl'));
  symlinkSync(setup.home, join(folder, 'way-out'));
  const list = await setup.engine.past(DEMO, {});
  expect('conversations' in list && list.conversations.map((one) => one.agentSessionId)).toEqual(['here']);
  expect(await setup.engine.past(DEMO, { cwd: '/etc' })).toMatchObject({ refused: 'not-allowed-folder' });
});

test('[R174] when a record is gone, the session says so and does not start another conversation', async () => {
  const setup = await createEngine();
  writeRecord(setup, 'vanishing', ...ONE_TURN);
  const id = await create(setup, { goOn: { how: 'resume', agentSessionId: 'vanishing' } });
  await setup.event(id, 'run.ready');
  await setup.do({ type: 'session.stop', sessionId: id });
  await setup.event(id, 'session.exited');
  rmSync(join(setup.home, '.signalbox-demo'), { recursive: true });
  await setup.do({ type: 'input.send', sessionId: id, text: 'hello' });
  expect((await setup.event(id, 'notice.shown', (event) => event.level === 'error')).text).toContain('gone from the disk');
  await setup.engine.drain();
  expect(setup.engine.session(id)).toMatchObject({ status: 'failed', queue: [{ text: 'hello', state: 'accepted' }] });
  expect(readdirSync(setup.home)).not.toContain('.signalbox-demo');
});

test('a fork whose original is gone says so and starts nothing else', async () => {
  const setup = await createEngine({ maxLive: 1 });
  writeRecord(setup, 'vanishing', ...ONE_TURN);
  const id = await create(setup, { goOn: { how: 'fork', agentSessionId: 'vanishing' } });
  await setup.event(id, 'run.ready');
  await setup.do({ type: 'session.stop', sessionId: id });
  await setup.event(id, 'session.exited');
  rmSync(join(setup.home, '.signalbox-demo'), { recursive: true });
  await setup.do({ type: 'input.send', sessionId: id, text: 'hello' });
  expect((await setup.event(id, 'notice.shown', (event) => event.level === 'error')).text).toContain('gone from the disk');
  await setup.engine.drain();
  expect(setup.engine.session(id)).toMatchObject({ status: 'failed', queue: [{ text: 'hello', state: 'accepted' }] });
});

test('a handover asks the agent in a copy and gives the labelled summary to the new conversation', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello from before' });
  await turnsDone(setup, id, 1);
  const fresh = await create(setup, { goOn: { how: 'handover', sessionId: id }, prompt: 'remember' });
  const ready = await setup.event(fresh, 'handover.ready');
  expect(ready.how).toBe('agent');
  await turnsDone(setup, fresh, 2);
  await setup.do({ type: 'input.send', sessionId: fresh, text: 'remember' });
  await turnsDone(setup, fresh, 3);
  expect(lastMessage(setup, fresh)).toContain('1. This goes on from an earlier conversation.');
  expect(lastMessage(setup, fresh)).toContain('a summary that the agent wrote for this purpose');
});

test('a handover by extract does not ask the agent, and one by compaction needs a compaction', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello from before' });
  await turnsDone(setup, id, 1);
  const fresh = await create(setup, { goOn: { how: 'handover', sessionId: id, summary: 'extract' } });
  const ready = await setup.event(fresh, 'handover.ready');
  expect(ready).toMatchObject({ how: 'extract', text: expect.stringContaining('hello from before') });
  expect(setup.events(fresh).filter((event) => event.type === 'input.accepted')).toEqual([]);
  expect(await refusal(setup, { how: 'handover', sessionId: id, summary: 'compaction' })).toMatchObject({ refused: 'conflict' });
});

/** The demo agent, counting how often its records are read. */
function countingReads(backwards: NonNullable<typeof demo.past>['backwards']): { readonly adapter: Adapter; readonly reads: () => number } {
  let reads = 0;
  const counting: typeof backwards = (text) => {
    reads += 1;
    return backwards(text);
  };
  return { adapter: { ...demo, past: { ...demo.past, backwards: counting } } as Adapter, reads: () => reads };
}

test('a live session whose last message was merged into a turn is forked after the message before it, and its record is read once', async () => {
  const { adapter, reads } = countingReads((text) => [...(demo.past?.backwards(text) ?? [])].map((one, index) => ({ ...one, canContinue: index > 0 })));
  const setup = await createEngine({ adapters: [adapter] });
  const id = await create(setup, { prompt: 'hello from before' });
  await turnsDone(setup, id, 1);
  const child = await create(setup, { goOn: { how: 'fork', sessionId: id } });
  expect(setup.events(child)[0]).toMatchObject({ type: 'session.created', origin: { kind: 'fork', afterMessage: expect.any(String) } });
  expect(messagesOf(setup.events(child).filter((event) => event.inherited))).toEqual(['hello from before']);
  expect(reads()).toBe(1);
});

test('while waiting for the last message, a record that does not change is read only once', async () => {
  const { adapter, reads } = countingReads(() => []);
  const setup = await createEngine({ adapters: [adapter] });
  const id = await create(setup, { prompt: 'hello' });
  await turnsDone(setup, id, 1);
  rmSync(join(setup.home, '.signalbox-demo'), { recursive: true });
  expect(await refusal(setup, { how: 'fork', sessionId: id })).toMatchObject({ refused: 'cannot-resume' });
  expect(reads()).toBe(1);
});
