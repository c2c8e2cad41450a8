import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import type { Adapter } from '../../agents/adapter.ts';
import { demo } from '../../agents/demo/index.ts';
import type { ContinueFrom } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';

const DEMO = 'demo' as AgentId;

interface Beginning {
  readonly goOn?: ContinueFrom;
  readonly prompt?: string;
  readonly commandId?: CommandId;
  readonly sessionId?: SessionId;
}

async function create(setup: EngineSetup, { sessionId = `s-${randomUUID()}` as SessionId, ...more }: Beginning): Promise<SessionId> {
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: {}, ...more });
  return sessionId;
}

async function refusal(setup: EngineSetup, goOn: ContinueFrom): Promise<object> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  const commandId = randomUUID() as CommandId;
  return setup.engine.submit({ type: 'session.create', commandId, sessionId, agent: DEMO, cwd: setup.folder, options: {}, goOn }, ADA);
}

const turns = async (setup: EngineSetup, id: SessionId, count: number): Promise<void> => {
  let seen = 0;
  await setup.event(id, 'turn.completed', () => {
    seen = setup.events(id).filter((event) => event.type === 'turn.completed').length;
    return seen >= count;
  });
};

const spoken = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const lastWords = (setup: EngineSetup, id: SessionId): string => spoken(setup.events(id)).at(-1) ?? '';

test('a copy of a session shows its past and remembers it, and the original goes its own way', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello from before' });
  await turns(setup, id, 1);
  const child = await create(setup, { goOn: { how: 'fork', sessionId: id }, prompt: 'remember' });
  await turns(setup, child, 1);
  const inherited = setup.events(child).filter((event) => event.inherited);
  expect(spoken(inherited)).toEqual(spoken(setup.events(id)));
  expect(inherited.every((event) => event.src === undefined && event.turnId === undefined)).toBe(true);
  expect(lastWords(setup, child)).toContain('hello from before');
  expect(setup.engine.session(child)).toMatchObject({ parent: { sessionId: id }, title: 'hello from before' });
  await setup.do({ type: 'input.send', sessionId: id, text: 'remember' });
  await turns(setup, id, 2);
  expect(lastWords(setup, id)).toBe('You said, in this order:\n\n1. hello from before');
});

test('[R175] a copy asked for twice under one id is one copy, also when the original went on in between', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello' });
  await turns(setup, id, 1);
  const asked = { goOn: { how: 'fork', sessionId: id }, commandId: randomUUID() as CommandId, sessionId: 'copy' as SessionId } as const;
  await create(setup, asked);
  const seq = setup.events('copy' as SessionId).length;
  await setup.do({ type: 'input.send', sessionId: id, text: 'think' });
  await turns(setup, id, 2);
  await setup.reopen();
  await create(setup, asked);
  expect(setup.events('copy' as SessionId).filter((event) => event.type === 'session.created')).toHaveLength(1);
  expect(setup.events('copy' as SessionId).length).toBeGreaterThanOrEqual(seq);
});

test('an agent that can copy only the end of a conversation is not asked for less', async () => {
  const setup = await createEngine({ adapters: [{ ...demo, capabilities: { ...demo.capabilities, forkAt: false } } as Adapter] });
  const id = await create(setup, { prompt: 'hello' });
  await turns(setup, id, 1);
  const first = setup.events(id).find((event) => event.type === 'user.message')?.seq ?? 0;
  expect(await refusal(setup, { how: 'fork', sessionId: id, at: first })).toMatchObject({ refused: 'not-supported' });
});

test('a session in which nothing was said, and one that is not there, cannot be continued', async () => {
  const setup = await createEngine();
  const id = await create(setup, {});
  expect(await refusal(setup, { how: 'fork', sessionId: id })).toMatchObject({ refused: 'cannot-resume' });
  expect(await refusal(setup, { how: 'fork', sessionId: 'nobody' as SessionId })).toMatchObject({ refused: 'not-found' });
  expect(await refusal(setup, { how: 'resume', agentSessionId: randomUUID() })).toMatchObject({ refused: 'cannot-resume' });
  expect(await refusal(setup, { how: 'resume', agentSessionId: '../../secret' })).toMatchObject({ refused: 'cannot-resume' });
});

/** A conversation that nothing of ours had. */
function record(setup: EngineSetup, id: string, ...lines: readonly object[]): void {
  const folder = join(setup.home, '.signalbox-demo');
  mkdirSync(folder, { recursive: true });
  const all = [{ type: 'session', id, cwd: setup.folder }, ...lines];
  writeFileSync(join(folder, `${id}.jsonl`), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const SAID = [
  { type: 'user', id: 'u1', text: 'from a terminal' },
  { type: 'answered', id: 'u1', text: 'answered there' },
];

test('a conversation of another program is listed, and continues under its own id with its past shown', async () => {
  const setup = await createEngine();
  record(setup, 'elsewhere-1', ...SAID);
  const list = await setup.engine.past(DEMO, { cwd: setup.folder, q: 'TERMINAL' });
  expect(list).toMatchObject({ conversations: [{ agentSessionId: 'elsewhere-1', title: 'from a terminal', cwd: setup.folder }], more: false });
  const id = await create(setup, { goOn: { how: 'resume', agentSessionId: 'latest' }, prompt: 'remember' });
  await turns(setup, id, 1);
  expect(spoken(setup.events(id).filter((event) => event.inherited))).toEqual(['from a terminal', 'answered there']);
  expect(lastWords(setup, id)).toContain('1. from a terminal');
  expect(setup.engine.session(id)).toMatchObject({ agentSessionId: 'elsewhere-1', title: 'from a terminal' });
  expect(await setup.engine.past(DEMO, {})).toMatchObject({ conversations: [{ agentSessionId: 'elsewhere-1', sessionId: id }] });
  expect(await refusal(setup, { how: 'resume', agentSessionId: 'elsewhere-1' })).toMatchObject({ refused: 'conflict', message: expect.stringContaining(id) });
});

test('the latest conversation is never one that was closed to others', async () => {
  const setup = await createEngine();
  record(setup, 'open-one', ...SAID);
  const id = await create(setup, { prompt: 'hello' });
  await turns(setup, id, 1);
  await setup.do({ type: 'session.describe', sessionId: id, closed: true });
  const child = await create(setup, { goOn: { how: 'fork', agentSessionId: 'latest' } });
  expect(setup.events(child)[0]).toMatchObject({ origin: { agentSessionId: 'open-one' } });
});

/** A closed session that was handed over by asking the agent: the original, the copy in which it was asked, and the fresh one lie on disk. */
async function closedWithCopies(setup: EngineSetup): Promise<{ readonly ids: readonly SessionId[]; readonly minds: readonly string[] }> {
  const id = await create(setup, { prompt: 'the secret' });
  await turns(setup, id, 1);
  await setup.do({ type: 'session.describe', sessionId: id, closed: true });
  const fresh = await create(setup, { goOn: { how: 'handover', sessionId: id, summary: 'agent' }, prompt: 'remember' });
  await turns(setup, fresh, 2);
  const minds = [id, fresh].flatMap((each) => setup.events(each).flatMap((event) => (event.type === 'run.opened' ? [event.agentSessionId ?? ''] : [])));
  return { ids: [id, fresh], minds: [...new Set(minds)] };
}

const ownersOf = (setup: EngineSetup, minds: readonly string[]) => minds.map((conversation) => setup.engine.ownersOfClosed(conversation));

test('every conversation that a closed session ever had stays its owner’s: the copy of a handover, and all of them after it was deleted', async () => {
  const setup = await createEngine();
  const { ids, minds } = await closedWithCopies(setup);
  expect(minds).toHaveLength(3);
  expect(ownersOf(setup, minds)).toEqual([['ada'], ['ada'], ['ada']]);
  expect(await refusal(setup, { how: 'fork', agentSessionId: 'latest' })).toMatchObject({ refused: 'cannot-resume' });
  for (const sessionId of ids) {
    await setup.do({ type: 'session.delete', sessionId });
    expect(ownersOf(setup, minds)).toEqual([['ada'], ['ada'], ['ada']]);
  }
  await setup.engine.drain();
  await setup.reopen();
  expect(setup.engine.sessions()).toEqual([]);
  expect(ownersOf(setup, minds)).toEqual([['ada'], ['ada'], ['ada']]);
  const again = await create(setup, { goOn: { how: 'fork', agentSessionId: minds[1] ?? '' } });
  expect(setup.engine.session(again)?.closed).toBe(true);
});

test('the copy in which a summary was asked for stays closed with its original, also when the fresh session is opened', async () => {
  const setup = await createEngine();
  const { ids, minds } = await closedWithCopies(setup);
  await setup.do({ type: 'session.describe', sessionId: ids[1] ?? ('' as SessionId), closed: false });
  expect(ownersOf(setup, minds)).toEqual([['ada'], ['ada'], []]);
});

test('what continues from a closed session is closed like it', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello' });
  await turns(setup, id, 1);
  const open = await create(setup, { goOn: { how: 'fork', sessionId: id } });
  await setup.do({ type: 'session.describe', sessionId: id, closed: true });
  const closed = await create(setup, { goOn: { how: 'fork', sessionId: id } });
  expect([open, closed].map((child) => setup.engine.session(child)?.closed ?? false)).toEqual([false, true]);
});

test('records that links lead to, and those of folders where no session may run, are not shown', async () => {
  const setup = await createEngine();
  record(setup, 'here', ...SAID);
  record(setup, 'outside', { type: 'session', id: 'outside', cwd: '/etc' });
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

test('[R174] a record that vanished is said to be gone, and its session begins no other conversation', async () => {
  const setup = await createEngine();
  record(setup, 'vanishing', ...SAID);
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

test('a copy whose original vanished before it was made says so, and begins nothing else', async () => {
  const setup = await createEngine({ maxLive: 1 });
  record(setup, 'vanishing', ...SAID);
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

test('a handover asks the agent in a copy, tells the fresh conversation, and is labelled', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello from before' });
  await turns(setup, id, 1);
  const fresh = await create(setup, { goOn: { how: 'handover', sessionId: id }, prompt: 'remember' });
  const ready = await setup.event(fresh, 'handover.ready');
  expect(ready.how).toBe('agent');
  await turns(setup, fresh, 2);
  await setup.do({ type: 'input.send', sessionId: fresh, text: 'remember' });
  await turns(setup, fresh, 3);
  expect(lastWords(setup, fresh)).toContain('1. This goes on from an earlier conversation.');
  expect(lastWords(setup, fresh)).toContain('a summary that the agent wrote for this purpose');
});

test('a handover by extract asks nobody; one by compaction needs one', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello from before' });
  await turns(setup, id, 1);
  const fresh = await create(setup, { goOn: { how: 'handover', sessionId: id, summary: 'extract' } });
  const ready = await setup.event(fresh, 'handover.ready');
  expect(ready).toMatchObject({ how: 'extract', text: expect.stringContaining('hello from before') });
  expect(setup.events(fresh).filter((event) => event.type === 'input.accepted')).toEqual([]);
  expect(await refusal(setup, { how: 'handover', sessionId: id, summary: 'compaction' })).toMatchObject({ refused: 'conflict' });
});

/** The demo agent, and how often its records were read. */
function counted(backwards: NonNullable<typeof demo.past>['backwards']): { readonly adapter: Adapter; readonly reads: () => number } {
  let reads = 0;
  const counting: typeof backwards = (text) => {
    reads += 1;
    return backwards(text);
  };
  return { adapter: { ...demo, past: { ...demo.past, backwards: counting } } as Adapter, reads: () => reads };
}

test('a live session whose last message was folded into a turn is copied up to the message before, after one look at its record', async () => {
  const { adapter, reads } = counted((text) => [...(demo.past?.backwards(text) ?? [])].map((one, index) => ({ ...one, canContinue: index > 0 })));
  const setup = await createEngine({ adapters: [adapter] });
  const id = await create(setup, { prompt: 'hello from before' });
  await turns(setup, id, 1);
  const child = await create(setup, { goOn: { how: 'fork', sessionId: id } });
  expect(setup.events(child)[0]).toMatchObject({ type: 'session.created', origin: { kind: 'fork', afterMessage: expect.any(String) } });
  expect(spoken(setup.events(child).filter((event) => event.inherited))).toEqual(['hello from before']);
  expect(reads()).toBe(1);
});

test('a record that does not change is not read again and again while its last message is waited for', async () => {
  const { adapter, reads } = counted(() => []);
  const setup = await createEngine({ adapters: [adapter] });
  const id = await create(setup, { prompt: 'hello' });
  await turns(setup, id, 1);
  rmSync(join(setup.home, '.signalbox-demo'), { recursive: true });
  expect(await refusal(setup, { how: 'fork', sessionId: id })).toMatchObject({ refused: 'cannot-resume' });
  expect(reads()).toBe(1);
});
