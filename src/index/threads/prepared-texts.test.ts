import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { called, eventsFrom, indexedSession, prompt, returned, spoken } from '../../../test/support/index/index-samples.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { PAST_AGENTS } from '../../agents/index.ts';
import { prepareTexts, withoutTexts } from '../../domain/search/prepared.ts';
import { openDatabase } from '../../journal/sqlite-driver.ts';
import type { Event } from '../../protocol/event.ts';
import { indexParts, SessionsOpenElsewhere } from './index-parts.ts';
import { openIndexWriter } from './open-index.ts';

const WHOLE = `${'early '.repeat(20)} hidden`;
const EVENTS = eventsFrom([
  prompt('Größe of the naïve café, 東京へ行く, nothing\0here'),
  spoken('   '),
  { type: 'assistant.thinking', messageId: 'm', index: 0, text: 'ΣΊΣΥΦΟΣ and \u{1f600} \ue000 private' },
  called('t1', 'Edit', { path: '/work/a.ts', old: 'x', new: 'y' }),
  returned('t1', 'done', { change: { kind: 'edit', path: '/work/a.ts', patch: '@@ -1 +1 @@\n-x\n+y\n' } }),
  called('t2', 'Bash', { command: 'false' }),
  returned('t2', 'exit code 1', { isError: true }),
  returned('t3', WHOLE.slice(0, 20), { blobs: { output: { sha256: 'a'.repeat(64), bytes: WHOLE.length } } }),
  { ...spoken('prompt is too long: 205000 tokens > 200000 maximum'), error: 'error' },
  { type: 'notice.shown', level: 'error', text: 'Prompt is too long' },
]);

/** Every row of every table, including those of the index. */
function rowsOf(put: (events: readonly Event[]) => Parameters<ReturnType<typeof openIndexWriter>['put']>) {
  const path = join(temporaryFolder('library'), 'library.db');
  const projectOf = (cwd: string) => ({ project: basename(cwd), projectId: cwd });
  const writer = openIndexWriter({ path, projectOf, blob: () => WHOLE, ...indexParts(PAST_AGENTS, new SessionsOpenElsewhere()) });
  writer.put(...put(EVENTS.slice(0, 6)));
  // A batch can start before what is already indexed.
  writer.put(...put(EVENTS.slice(4)));
  writer.close();
  const db = openDatabase(path);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name").all();
  const rows = tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${name}`).all()] as const);
  db.close();
  return rows;
}

test('[R271] texts prepared by another thread give the same index as reading the events directly', () => {
  const session = indexedSession('a');
  const spent = [{ seq: 2, at: '2026-01-01T00:02:00.000Z', model: 'm', usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 } }];
  const whole = rowsOf((events) => [session, events, spent]);
  const prepared = rowsOf((events) => [session, events.map(withoutTexts), spent, prepareTexts(events)]);
  expect(new Map(whole).get('docs')).toHaveLength(11);
  expect(prepared).toEqual(whole);
});
