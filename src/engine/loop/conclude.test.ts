import { expect, test } from 'vitest';
import { standIn } from '../../../test/support/agents/stand-in-program.ts';
import { createEngine } from '../../../test/support/engine/test-engine.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../../../test/support/stand-in-adapter/index.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createProcessScan } from '../../host/processes.ts';
import type { Journal } from '../../journal/journal.ts';
import { JournalUnwritable } from '../../journal/journal-errors.ts';
import type { EventType } from '../../protocol/event.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';

// Found by the chaos test, seed 1: the end was journaled first, the server was killed before the sweep, and the next one had no reason to sweep.
test('[R46] when the end of an agent is published, the processes its tools started are gone', async () => {
  const setup = await createEngine({ adapters: [standInAdapter], env: { [STAND_IN_VARIABLE]: standIn().command } });
  const sessionId = 's1' as SessionId;
  const scan = createProcessScan();
  await setup.do({ type: 'session.create', sessionId, agent: standInAdapter.id, cwd: setup.folder, options: {}, prompt: 'tool 60000' });
  const { run } = await setup.event(sessionId, 'run.opened');
  await setup.event(sessionId, 'tool.started');
  const pid = await waitFor('the pid', () => setup.engine.session(sessionId)?.pid);
  const exitPublished = new Promise<void>((resolve) => {
    setup.engine.watch(sessionId, (news) => {
      if (news.kind === 'events' && news.events.some((event) => event.type === 'session.exited')) resolve();
    });
  });
  process.kill(pid, 'SIGKILL');
  await exitPublished;
  expect((await scan()).filter((one) => one.run === run)).toEqual([]);
});

test('an end that the journal could not store changes nothing, and is stored once it can be', async () => {
  let refusals = 0;
  const setup = await createEngine({ journal: (journal) => refusingOnce(journal, 'session.exited', () => (refusals += 1)) });
  const sessionId = 's1' as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: 'demo' as AgentId, cwd: setup.folder, options: {}, prompt: 'crash' });
  await setup.event(sessionId, 'session.exited');
  expect(refusals).toBe(1);
  expect(setup.engine.session(sessionId)).toMatchObject({ status: 'failed', control: 'none' });
  await setup.do({ type: 'input.send', sessionId, text: 'hello' });
  await setup.event(sessionId, 'turn.completed', (event) => !event.interrupted);
});

test('a stopped agent ends even when the journal cannot be synced, and the problem is logged', async () => {
  let isBroken = false;
  const errors: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (_: object, message: string) => void errors.push(message) };
  const sync = (journal: Journal) => async () => (isBroken ? Promise.reject(new JournalUnwritable('journal.db-wal', 'made-up fault')) : journal.sync());
  const setup = await createEngine({ log, journal: (journal) => withOverrides(journal, { sync: sync(journal) }) });
  const sessionId = 's1' as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: 'demo' as AgentId, cwd: setup.folder, options: {}, prompt: 'wait' });
  await setup.event(sessionId, 'turn.started');
  isBroken = true;
  // The first leaves a line that can't be sent; the second is the line that would end the agent.
  for (const type of ['turn.interrupt', 'session.stop'] as const) await expect(setup.do({ type, sessionId })).rejects.toThrow('made-up fault');
  await setup.event(sessionId, 'session.exited');
  await waitFor(
    'both problems to be logged',
    () => errors.filter((message) => /^Signalbox can't (send messages to agents|stop agents): .*made-up fault/.test(message)).length === 2,
  );
  isBroken = false;
  await waitFor('all problems to be over', () => setup.engine.problems().length === 0);
});

/** A journal that fails once, at the first append of this type, as if the disk were full. */
function refusingOnce(journal: Journal, type: EventType, refused: () => void): Journal {
  let isFull = true;
  const append: Journal['append'] = (entry) => {
    if (!isFull || !entry.events.some((event) => event.type === type)) return journal.append(entry);
    isFull = false;
    refused();
    throw new JournalUnwritable('journal.db', 'the disk is full');
  };
  return withOverrides(journal, { append });
}

function withOverrides(journal: Journal, overrides: Partial<Journal>): Journal {
  return new Proxy(journal, {
    get: (target, name) => {
      if (name in overrides) return Reflect.get(overrides, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
