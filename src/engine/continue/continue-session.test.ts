import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineBench } from '../../../test/support/engine/test-engine.ts';
import type { Adapter } from '../../agents/adapter.ts';
import { demo } from '../../agents/demo/index.ts';
import type { GoOn } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';

const DEMO = 'demo' as AgentId;

interface Beginning {
  readonly goOn?: GoOn;
  readonly prompt?: string;
  readonly commandId?: CommandId;
  readonly sessionId?: SessionId;
}

async function create(bench: EngineBench, { sessionId = `s-${randomUUID()}` as SessionId, ...more }: Beginning): Promise<SessionId> {
  await bench.do({ type: 'session.create', sessionId, agent: DEMO, cwd: bench.folder, options: {}, ...more });
  return sessionId;
}

async function refusal(bench: EngineBench, goOn: GoOn): Promise<object> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  const commandId = randomUUID() as CommandId;
  return bench.engine.submit({ type: 'session.create', commandId, sessionId, agent: DEMO, cwd: bench.folder, options: {}, goOn }, ADA);
}

const turns = async (bench: EngineBench, id: SessionId, count: number): Promise<void> => {
  let seen = 0;
  await bench.event(id, 'turn.completed', () => {
    seen = bench.events(id).filter((event) => event.type === 'turn.completed').length;
    return seen >= count;
  });
};

const spoken = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const lastWords = (bench: EngineBench, id: SessionId): string => spoken(bench.events(id)).at(-1) ?? '';

test('a copy of a session shows its past and remembers it, and the original goes its own way', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'hello from before' });
  await turns(bench, id, 1);
  const child = await create(bench, { goOn: { how: 'fork', sessionId: id }, prompt: 'remember' });
  await turns(bench, child, 1);
  const inherited = bench.events(child).filter((event) => event.inherited);
  expect(spoken(inherited)).toEqual(spoken(bench.events(id)));
  expect(inherited.every((event) => event.src === undefined && event.turnId === undefined)).toBe(true);
  expect(lastWords(bench, child)).toContain('hello from before');
  expect(bench.engine.session(child)).toMatchObject({ parent: { sessionId: id }, title: 'hello from before' });
  await bench.do({ type: 'input.send', sessionId: id, text: 'remember' });
  await turns(bench, id, 2);
  expect(lastWords(bench, id)).toBe('You said, in this order:\n\n1. hello from before');
});

test('[R175] a copy asked for twice under one id is one copy, also when the original went on in between', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'hello' });
  await turns(bench, id, 1);
  const asked = { goOn: { how: 'fork', sessionId: id }, commandId: randomUUID() as CommandId, sessionId: 'copy' as SessionId } as const;
  await create(bench, asked);
  const seq = bench.events('copy' as SessionId).length;
  await bench.do({ type: 'input.send', sessionId: id, text: 'think' });
  await turns(bench, id, 2);
  await bench.reopen();
  await create(bench, asked);
  expect(bench.events('copy' as SessionId).filter((event) => event.type === 'session.created')).toHaveLength(1);
  expect(bench.events('copy' as SessionId).length).toBeGreaterThanOrEqual(seq);
});

test('an agent that can copy only the end of a conversation is not asked for less', async () => {
  const bench = await createEngine({ adapters: [{ ...demo, capabilities: { ...demo.capabilities, forkAt: false } } as Adapter] });
  const id = await create(bench, { prompt: 'hello' });
  await turns(bench, id, 1);
  const first = bench.events(id).find((event) => event.type === 'user.message')?.seq ?? 0;
  expect(await refusal(bench, { how: 'fork', sessionId: id, at: first })).toMatchObject({ refused: 'not-supported' });
});

test('a session in which nothing was said, and one that is not there, cannot be gone on from', async () => {
  const bench = await createEngine();
  const id = await create(bench, {});
  expect(await refusal(bench, { how: 'fork', sessionId: id })).toMatchObject({ refused: 'cannot-resume' });
  expect(await refusal(bench, { how: 'fork', sessionId: 'nobody' as SessionId })).toMatchObject({ refused: 'not-found' });
  expect(await refusal(bench, { how: 'resume', agentSessionId: randomUUID() })).toMatchObject({ refused: 'cannot-resume' });
  expect(await refusal(bench, { how: 'resume', agentSessionId: '../../secret' })).toMatchObject({ refused: 'cannot-resume' });
});

/** A conversation that nothing of ours had. */
function record(bench: EngineBench, id: string, ...lines: readonly object[]): void {
  const folder = join(bench.home, '.signalbox-demo');
  mkdirSync(folder, { recursive: true });
  const all = [{ type: 'session', id, cwd: bench.folder }, ...lines];
  writeFileSync(join(folder, `${id}.jsonl`), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const SAID = [
  { type: 'user', id: 'u1', text: 'from a terminal' },
  { type: 'answered', id: 'u1', text: 'answered there' },
];

test('a conversation of another program is listed, and goes on under its own id with its past shown', async () => {
  const bench = await createEngine();
  record(bench, 'elsewhere-1', ...SAID);
  const list = await bench.engine.past(DEMO, { cwd: bench.folder, q: 'TERMINAL' });
  expect(list).toMatchObject({ conversations: [{ agentSessionId: 'elsewhere-1', title: 'from a terminal', cwd: bench.folder }], more: false });
  const id = await create(bench, { goOn: { how: 'resume', agentSessionId: 'latest' }, prompt: 'remember' });
  await turns(bench, id, 1);
  expect(spoken(bench.events(id).filter((event) => event.inherited))).toEqual(['from a terminal', 'answered there']);
  expect(lastWords(bench, id)).toContain('1. from a terminal');
  expect(bench.engine.session(id)).toMatchObject({ agentSessionId: 'elsewhere-1', title: 'from a terminal' });
  expect(await bench.engine.past(DEMO, {})).toMatchObject({ conversations: [{ agentSessionId: 'elsewhere-1', sessionId: id }] });
  expect(await refusal(bench, { how: 'resume', agentSessionId: 'elsewhere-1' })).toMatchObject({ refused: 'conflict', message: expect.stringContaining(id) });
});

test('the latest conversation is never one that was closed to others', async () => {
  const bench = await createEngine();
  record(bench, 'open-one', ...SAID);
  const id = await create(bench, { prompt: 'hello' });
  await turns(bench, id, 1);
  await bench.do({ type: 'session.describe', sessionId: id, closed: true });
  const child = await create(bench, { goOn: { how: 'fork', agentSessionId: 'latest' } });
  expect(bench.events(child)[0]).toMatchObject({ origin: { agentSessionId: 'open-one' } });
});

/** A closed session that was handed over by asking the agent: the original, the copy in which it was asked, and the fresh one lie on disk. */
async function closedWithCopies(bench: EngineBench): Promise<{ readonly ids: readonly SessionId[]; readonly minds: readonly string[] }> {
  const id = await create(bench, { prompt: 'the secret' });
  await turns(bench, id, 1);
  await bench.do({ type: 'session.describe', sessionId: id, closed: true });
  const fresh = await create(bench, { goOn: { how: 'handover', sessionId: id, summary: 'agent' }, prompt: 'remember' });
  await turns(bench, fresh, 2);
  const minds = [id, fresh].flatMap((each) => bench.events(each).flatMap((event) => (event.type === 'run.opened' ? [event.agentSessionId ?? ''] : [])));
  return { ids: [id, fresh], minds: [...new Set(minds)] };
}

const ownersOf = (bench: EngineBench, minds: readonly string[]) => minds.map((mind) => bench.engine.ownersOfClosed(mind));

test('every conversation that a closed session ever had stays its owner’s: the copy of a handover, and all of them after it was deleted', async () => {
  const bench = await createEngine();
  const { ids, minds } = await closedWithCopies(bench);
  expect(minds).toHaveLength(3);
  expect(ownersOf(bench, minds)).toEqual([['ada'], ['ada'], ['ada']]);
  expect(await refusal(bench, { how: 'fork', agentSessionId: 'latest' })).toMatchObject({ refused: 'cannot-resume' });
  for (const sessionId of ids) {
    await bench.do({ type: 'session.delete', sessionId });
    expect(ownersOf(bench, minds)).toEqual([['ada'], ['ada'], ['ada']]);
  }
  await bench.engine.drain();
  await bench.reopen();
  expect(bench.engine.sessions()).toEqual([]);
  expect(ownersOf(bench, minds)).toEqual([['ada'], ['ada'], ['ada']]);
  const again = await create(bench, { goOn: { how: 'fork', agentSessionId: minds[1] ?? '' } });
  expect(bench.engine.session(again)?.closed).toBe(true);
});

test('the copy in which a summary was asked for stays closed with its original, also when the fresh session is opened', async () => {
  const bench = await createEngine();
  const { ids, minds } = await closedWithCopies(bench);
  await bench.do({ type: 'session.describe', sessionId: ids[1] ?? ('' as SessionId), closed: false });
  expect(ownersOf(bench, minds)).toEqual([['ada'], ['ada'], []]);
});

test('what goes on from a closed session is closed like it', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'hello' });
  await turns(bench, id, 1);
  const open = await create(bench, { goOn: { how: 'fork', sessionId: id } });
  await bench.do({ type: 'session.describe', sessionId: id, closed: true });
  const closed = await create(bench, { goOn: { how: 'fork', sessionId: id } });
  expect([open, closed].map((child) => bench.engine.session(child)?.closed ?? false)).toEqual([false, true]);
});

test('records that links lead to, and those of folders where no session may run, are not shown', async () => {
  const bench = await createEngine();
  record(bench, 'here', ...SAID);
  record(bench, 'outside', { type: 'session', id: 'outside', cwd: '/etc' });
  const folder = join(bench.home, '.signalbox-demo');
  const text = readFileSync(join(folder, 'outside.jsonl'), 'utf8').split('\n').slice(1).join('\n');
  writeFileSync(join(folder, 'outside.jsonl'), text);
  writeFileSync(join(bench.home, 'secret.jsonl'), text);
  symlinkSync(join(bench.home, 'secret.jsonl'), join(folder, 'linked.jsonl'));
  symlinkSync(bench.home, join(folder, 'way-out'));
  const list = await bench.engine.past(DEMO, {});
  expect('conversations' in list && list.conversations.map((one) => one.agentSessionId)).toEqual(['here']);
  expect(await bench.engine.past(DEMO, { cwd: '/etc' })).toMatchObject({ refused: 'not-allowed-folder' });
});

test('[R174] a record that vanished is said to be gone, and its session begins no other conversation', async () => {
  const bench = await createEngine();
  record(bench, 'vanishing', ...SAID);
  const id = await create(bench, { goOn: { how: 'resume', agentSessionId: 'vanishing' } });
  await bench.event(id, 'run.ready');
  await bench.do({ type: 'session.stop', sessionId: id });
  await bench.event(id, 'session.exited');
  rmSync(join(bench.home, '.signalbox-demo'), { recursive: true });
  await bench.do({ type: 'input.send', sessionId: id, text: 'hello' });
  expect((await bench.event(id, 'notice.shown', (event) => event.level === 'error')).text).toContain('gone from the disk');
  await bench.engine.drain();
  expect(bench.engine.session(id)).toMatchObject({ status: 'failed', queue: [{ text: 'hello', state: 'accepted' }] });
  expect(readdirSync(bench.home)).not.toContain('.signalbox-demo');
});

test('a copy whose original vanished before it was made says so, and begins nothing else', async () => {
  const bench = await createEngine({ maxLive: 1 });
  record(bench, 'vanishing', ...SAID);
  const id = await create(bench, { goOn: { how: 'fork', agentSessionId: 'vanishing' } });
  await bench.event(id, 'run.ready');
  await bench.do({ type: 'session.stop', sessionId: id });
  await bench.event(id, 'session.exited');
  rmSync(join(bench.home, '.signalbox-demo'), { recursive: true });
  await bench.do({ type: 'input.send', sessionId: id, text: 'hello' });
  expect((await bench.event(id, 'notice.shown', (event) => event.level === 'error')).text).toContain('gone from the disk');
  await bench.engine.drain();
  expect(bench.engine.session(id)).toMatchObject({ status: 'failed', queue: [{ text: 'hello', state: 'accepted' }] });
});

test('a handover asks the agent in a copy, tells the fresh conversation, and is labelled', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'hello from before' });
  await turns(bench, id, 1);
  const fresh = await create(bench, { goOn: { how: 'handover', sessionId: id }, prompt: 'remember' });
  const ready = await bench.event(fresh, 'handover.ready');
  expect(ready.how).toBe('agent');
  await turns(bench, fresh, 2);
  await bench.do({ type: 'input.send', sessionId: fresh, text: 'remember' });
  await turns(bench, fresh, 3);
  expect(lastWords(bench, fresh)).toContain('1. This goes on from an earlier conversation.');
  expect(lastWords(bench, fresh)).toContain('a summary that the agent wrote for this purpose');
});

test('a handover by extract asks nobody; one by compaction needs one', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'hello from before' });
  await turns(bench, id, 1);
  const fresh = await create(bench, { goOn: { how: 'handover', sessionId: id, summary: 'extract' } });
  const ready = await bench.event(fresh, 'handover.ready');
  expect(ready).toMatchObject({ how: 'extract', text: expect.stringContaining('hello from before') });
  expect(bench.events(fresh).filter((event) => event.type === 'input.accepted')).toEqual([]);
  expect(await refusal(bench, { how: 'handover', sessionId: id, summary: 'compaction' })).toMatchObject({ refused: 'conflict' });
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
  const { adapter, reads } = counted((text) => [...(demo.past?.backwards(text) ?? [])].map((one, index) => ({ ...one, canGoOn: index > 0 })));
  const bench = await createEngine({ adapters: [adapter] });
  const id = await create(bench, { prompt: 'hello from before' });
  await turns(bench, id, 1);
  const child = await create(bench, { goOn: { how: 'fork', sessionId: id } });
  expect(bench.events(child)[0]).toMatchObject({ type: 'session.created', origin: { kind: 'fork', afterMessage: expect.any(String) } });
  expect(spoken(bench.events(child).filter((event) => event.inherited))).toEqual(['hello from before']);
  expect(reads()).toBe(1);
});

test('a record that does not change is not read again and again while its last message is waited for', async () => {
  const { adapter, reads } = counted(() => []);
  const bench = await createEngine({ adapters: [adapter] });
  const id = await create(bench, { prompt: 'hello' });
  await turns(bench, id, 1);
  rmSync(join(bench.home, '.signalbox-demo'), { recursive: true });
  expect(await refusal(bench, { how: 'fork', sessionId: id })).toMatchObject({ refused: 'cannot-resume' });
  expect(reads()).toBe(1);
});
