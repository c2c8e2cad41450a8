import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../test/support/engine/test-engine.ts';
import { closeDatabase, openDatabase } from './journal/sqlite-driver.ts';
import type { AgentId, SessionId } from './protocol/ids.ts';
import { checkJournalFiles, rebuild } from './rebuild.ts';

const DERIVED_FILES = ['views.db', 'library.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);

test('a rebuild deletes the databases that refer to positions of the old journal', async () => {
  const bench = await createEngine();
  await bench.close();
  for (const name of DERIVED_FILES) writeFileSync(join(bench.dataDir, name), '');
  expect(await rebuild({ data: bench.dataDir, configuredAgents: {} })).toContainEqual(expect.stringContaining('0 sessions restored'));
  expect(DERIVED_FILES.filter((name) => existsSync(join(bench.dataDir, name)))).toEqual([]);
  await bench.reopen();
});

test('[R828] a text that somebody changed inside the journal is found by comparing it with the files, and neither is changed', async () => {
  const bench = await createEngine();
  const sessionId = 's-check' as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: 'demo' as AgentId, cwd: bench.folder, options: {}, prompt: 'hello' });
  await bench.event(sessionId, 'turn.completed');
  const said = await bench.event(sessionId, 'assistant.text');
  await bench.close();
  const config = { data: bench.dataDir, configuredAgents: {} };
  expect(await checkJournalFiles(config)).toMatchObject({ isSame: true });
  const db = openDatabase(join(bench.dataDir, 'journal.db'));
  const words = JSON.stringify(said.text).slice(1, -1);
  const change = db.prepare("UPDATE events SET body = replace(body, ?, 'something else') WHERE seq = ? AND instr(body, ?) > 0");
  expect(change.run(words, said.seq, words).changes).toBe(1);
  closeDatabase(db);
  const { isSame, lines } = await checkJournalFiles(config);
  expect([isSame, lines]).toEqual([false, expect.arrayContaining([`Different: event ${said.seq} of ${sessionId} (assistant.text)`])]);
  await rebuild(config);
  expect(await checkJournalFiles(config)).toMatchObject({ isSame: true });
  await bench.reopen();
});
