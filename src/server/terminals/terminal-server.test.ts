import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CONVERSATION, registered, writeEntry } from '../../../test/support/engine/demo-registry.ts';
import { ADA, createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { identify } from '../../host/identity.ts';
import { Problems } from '../../problems/problems.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';
import { silentLog } from '../shared/log.ts';
import { openTerminalServer, type TerminalServer } from './terminal-server.ts';

const ID = 'mine' as SessionId;
const LEASE_MS = 30;
const NEVER = new AbortController().signal;

/** A session whose conversation another program has open: here, this test itself. */
async function sessionElsewhere(leaseMs = LEASE_MS): Promise<EngineSetup> {
  const setup = await createEngine({ adapters: [registered], leaseMs });
  const command = { type: 'session.create', sessionId: ID, agent: 'demo' as AgentId, cwd: setup.folder, options: {}, prompt: 'hello' } as const;
  await setup.do(command);
  await setup.event(ID, 'turn.completed');
  await setup.do({ type: 'session.sleep', sessionId: ID });
  await setup.event(ID, 'session.exited');
  writeEntry(setup, process.pid, identify(process.pid)?.start ?? '', setup.engine.session(ID)?.agentSessionId ?? CONVERSATION);
  await setup.event(ID, 'driver.found');
  return setup;
}

const serve = (setup: EngineSetup): TerminalServer => openTerminalServer(setup.engine, new Problems(silentLog));

const send = (setup: EngineSetup, commandId: string) =>
  setup.engine.submit({ type: 'input.send', commandId: commandId as CommandId, sessionId: ID, text: `text of ${commandId}` }, ADA);

const MESSAGES = 25;

for (let seed = 1; seed <= proofCount(2); seed += 1) {
  test(`[R537] [R538] two programs poll, forget to confirm and die, the server restarts: each message arrives once, in order (seed ${seed})`, async () => {
    const random = seeded(seed);
    const setup = await sessionElsewhere();
    let server = serve(setup);
    const wanted = Array.from({ length: MESSAGES }, (_, number) => `m${seed}-${number}`);
    const consumed = () => setup.events(ID).flatMap((event) => (event.type === 'input.consumed' && event.commandId.startsWith('m') ? [event.commandId] : []));
    const isDone = () => consumed().length >= MESSAGES;

    const poller = async (): Promise<void> => {
      while (!isDone()) {
        const dies = new AbortController();
        if (random() < 0.2) setImmediate(() => dies.abort());
        const next = await server.nextInput(ID, 20, dies.signal, ADA).catch(() => 'none' as const);
        if (next === 'none' || isRefusal(next) || random() < 0.25) {
          await yieldToEvents();
          continue;
        }
        await server.acknowledge(ID, next.commandId, ADA);
        if (random() < 0.2) await server.acknowledge(ID, next.commandId, ADA);
      }
    };
    const sender = async (): Promise<void> => {
      for (const commandId of wanted) {
        while (isRefusal(await send(setup, commandId))) await yieldToEvents();
        if (random() < 0.1) {
          server.close();
          await setup.reopen();
          server = serve(setup);
        }
      }
    };
    await Promise.all([poller(), poller(), sender()]);
    server.close();
    expect(consumed()).toEqual(wanted);
    expect(setup.engine.session(ID)?.queue).toEqual([]);
    const changes = setup.events(ID).map(({ type }) => type);
    expect(changes.filter((type) => ['input.cancelled', 'input.moved', 'input.edited', 'queue.paused'].includes(type))).toEqual([]);
  });
}

test('[R538] a lent message stays in the queue, goes to nobody else, and is offered again when nobody confirms it', async () => {
  const setup = await sessionElsewhere(3000);
  const server = serve(setup);
  const second = server.nextInput(ID, 20_000, NEVER, ADA);
  await waitFor('somebody who polls', () => setup.engine.session(ID)?.polling);
  await send(setup, 'm1');
  expect(await second).toMatchObject({ commandId: 'm1', text: 'text of m1' });
  expect(setup.engine.session(ID)?.queue).toMatchObject([{ commandId: 'm1', state: 'delivered' }]);
  expect(await server.nextInput(ID, 0, NEVER, ADA)).toBe('none');
  expect(await server.nextInput(ID, 20_000, NEVER, ADA)).toMatchObject({ commandId: 'm1' });
  expect(setup.events(ID).filter(({ type }) => type === 'input.returned')).toHaveLength(1);
  await server.acknowledge(ID, 'm1' as CommandId, ADA);
  expect(setup.engine.session(ID)?.queue).toEqual([]);
  expect(setup.engine.session(ID)?.polling).toBeUndefined();
  server.close();
});

test('[R539] while Signalbox runs the agent itself, nobody can poll', async () => {
  const setup = await createEngine({ adapters: [registered] });
  await setup.do({ type: 'session.create', sessionId: ID, agent: 'demo' as AgentId, cwd: setup.folder, options: {} });
  const server = serve(setup);
  expect(await server.nextInput(ID, 0, NEVER, ADA)).toMatchObject({ refused: 'driven-elsewhere' });
  expect(await server.nextInput('nobody' as SessionId, 0, NEVER, ADA)).toMatchObject({ refused: 'not-found' });
  server.close();
});

test('[R532] a request is asked once, by its id, and a hook that never comes back after a restart leaves no card', async () => {
  const setup = await sessionElsewhere();
  const ask = { type: 'hook.ask', sessionId: ID, askId: 'ask-1', tool: 'run', input: { command: 'make' }, kind: 'tool' } as const;
  await setup.do({ ...ask, commandId: randomUUID() as CommandId });
  await setup.do({ ...ask, commandId: randomUUID() as CommandId });
  expect(setup.engine.permissions(ID)).toMatchObject([{ tool: 'run', input: { command: 'make' } }]);
  await setup.reopen();
  const server = openTerminalServer(setup.engine, new Problems(silentLog), 5);
  await setup.event(ID, 'hook.answered');
  expect(setup.events(ID).findLast(({ type }) => type === 'hook.answered')).toMatchObject({ askId: 'ask-1', outcome: 'lapsed', by: 'lapsed' });
  expect(setup.engine.permissions(ID)).toEqual([]);
  server.close();
});

test('[R531] when a hook hangs up while it waits, somebody answered in the terminal, and an answer here is refused', async () => {
  const setup = await sessionElsewhere();
  const server = serve(setup);
  await setup.do({ type: 'hook.ask', sessionId: ID, askId: 'ask-1', tool: 'run', input: {}, kind: 'tool' });
  const [card] = setup.engine.permissions(ID);
  const hangsUp = new AbortController();
  const waiting = server.answer('ask-1', 20_000, hangsUp.signal);
  hangsUp.abort();
  await waiting;
  const late = { type: 'permission.answer', commandId: randomUUID() as CommandId, sessionId: ID, requestId: card?.requestId, behavior: 'allow' } as never;
  expect(await setup.engine.submit(late, ADA)).toMatchObject({ refused: 'already-answered', message: expect.stringContaining('answered in the terminal') });
  // A server that stops hangs up too; that says nothing about the terminal.
  await setup.do({ type: 'hook.ask', sessionId: ID, askId: 'ask-2', tool: 'run', input: {}, kind: 'tool' });
  const stopping = server.answer('ask-2', 20_000, NEVER);
  server.close();
  expect(await stopping).toEqual({ state: 'open' });
  expect(setup.engine.permissions(ID)).toHaveLength(1);
});
