import { randomUUID } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../../test/support/engine.ts';
import { AGENTS } from '../agents/index.ts';
import { openHost } from '../host/open-host.ts';
import { rebuildJournal } from '../journal/rebuild.ts';
import type { Event } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { refoldWith } from './refold-run.ts';

/** What a person sees of an event, without numbers and times. */
const content = ({ seq: _seq, at: _at, atKnown: _known, ...event }: Event): unknown => ({
  ...event,
  ...(event.type === 'session.status' && { causeSeq: undefined }),
});
const isKept = (event: Event): boolean => event.type !== 'session.status' && event.type !== 'session.exited';

test('[R83] a damaged journal is rebuilt from the files with everything in it, once, and the session goes on', async () => {
  const bench = await createEngine();
  const sessionId = `s-${randomUUID()}` as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: 'demo' as AgentId, cwd: bench.folder, options: {}, prompt: 'write' });
  const asked = await bench.event(sessionId, 'permission.requested');
  await bench.do({ type: 'permission.answer', sessionId, requestId: asked.requestId, behavior: 'allow' });
  const done = await bench.event(sessionId, 'turn.completed');
  await bench.do({ type: 'session.describe', sessionId, title: 'Kept' });
  const before = bench.events(sessionId).filter(isKept);
  await bench.close();

  truncateSync(join(bench.dataDir, 'journal.db'), 100);
  const host = openHost({ dataDir: bench.dataDir });
  const report = await rebuildJournal({ dataDir: bench.dataDir, refold: refoldWith(new Map(AGENTS.map((agent) => [agent.id, agent]))), now: new Date() });
  await host.close();

  await bench.reopen();
  expect(report).toMatchObject({ sessions: 1, skipped: [] });
  expect(bench.events(sessionId).filter(isKept).map(content)).toEqual(before.map(content));
  expect(bench.engine.session(sessionId)).toMatchObject({ title: 'Kept', status: 'idle' });
  await bench.do({ type: 'input.send', sessionId, text: 'hello' });
  await bench.event(sessionId, 'turn.completed', (event) => event.seq > done.seq);
});
