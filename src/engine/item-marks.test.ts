import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { problemsToConsole } from '../../test/support/problems.ts';
import { AGENTS } from '../agents/index.ts';
import { markableKey } from '../domain/transcript/fold-item-marked.ts';
import type { Item } from '../domain/transcript/item.ts';
import { append, openTranscript, prepend } from '../domain/transcript/transcript.ts';
import { openHost } from '../host/open-host.ts';
import { rebuildJournal } from '../journal/rebuild/rebuild.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { refoldWith } from './rebuild/refold-run.ts';

const sessionId = 's1' as SessionId;
const ALL = { star: true, tags: ['keep'], note: 'why' };

/** Creates a session with one turn and marks its message, its answer and its end. */
async function createMarked(setup: EngineSetup): Promise<void> {
  await setup.do({ type: 'session.create', sessionId, agent: 'demo' as AgentId, cwd: setup.folder, options: {}, prompt: 'hello' });
  await setup.event(sessionId, 'turn.completed');
  for (const event of setup.events(sessionId)) {
    const item = markableKey(event);
    if (event.type === 'user.message' || event.type === 'assistant.text' || event.type === 'turn.completed') {
      await setup.do({ type: 'item.mark', sessionId, seq: event.seq, item: item ?? 'none', ...ALL });
    }
  }
}

const markedOf = (items: ReadonlyMap<string, Item>) =>
  [...items.values()].flatMap((item) => (item.marks === undefined ? [] : [[item.kind, 'text' in item ? item.text : '', item.marks]]));

test('[R192] marks stay on the same items after a rebuild from files', async () => {
  const setup = await createEngine();
  await createMarked(setup);
  const before = markedOf(openTranscript(setup.events(sessionId)).items);
  const marked = { ...ALL, noted: { at: expect.any(String), actor: expect.objectContaining({ kind: 'person' }) } };
  expect(before).toEqual([
    ['user', 'hello', marked],
    ['text', expect.stringMatching(/\w/), marked],
    ['turn', '', marked],
  ]);
  await setup.engine.drain();
  await setup.close();
  truncateSync(join(setup.dataDir, 'journal.db'), 100);
  const host = openHost({ problems: problemsToConsole(), dataDir: setup.dataDir });
  await rebuildJournal({ dataDir: setup.dataDir, refold: refoldWith(new Map(AGENTS.map((agent) => [agent.id, agent]))), now: new Date() });
  await host.close();
  await setup.reopen();
  expect(markedOf(openTranscript(setup.events(sessionId)).items)).toEqual(before);
});

test('a transcript window that grows in either direction has the same marks as the full transcript', async () => {
  const setup = await createEngine();
  await createMarked(setup);
  const events = setup.events(sessionId);
  const whole = markedOf(openTranscript(events).items);
  for (let border = 1; border < events.length; border += 1) {
    expect(markedOf(append(openTranscript(events.slice(0, border)), events.slice(border)).items)).toEqual(whole);
    expect(markedOf(prepend(openTranscript(events.slice(border)), events.slice(0, border)).items)).toEqual(whole);
  }
});

test('an event that does not exist cannot be marked', async () => {
  const setup = await createEngine();
  await createMarked(setup);
  await expect(setup.do({ type: 'item.mark', sessionId, seq: 999, item: 'x', star: true })).rejects.toThrow('not-found');
});

test('[R359] the tags of messages are part of the session, until the last message loses them', async () => {
  const setup = await createEngine();
  await createMarked(setup);
  const tagsNow = () => setup.engine.session(sessionId)?.messageTags;
  expect(tagsNow()).toEqual([...ALL.tags].sort());
  for (const event of setup.events(sessionId)) {
    const item = markableKey(event);
    if (item !== undefined) await setup.do({ type: 'item.mark', sessionId, seq: event.seq, item, tags: [] });
  }
  expect(tagsNow()).toBeUndefined();
});
