import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { readAuditOfDeleted } from '../journal/audit-of-deleted.ts';
import type { Journal } from '../journal/journal.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import { openDatabase } from '../journal/sqlite/sqlite-driver.ts';
import type { AuditEntry } from '../protocol/api/audit.ts';
import type { EventBody } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';

const IDS = Array.from({ length: 10 }, (_, index) => `s${index}` as SessionId);
const EACH = 5000;
/** One event in so many is a decision. */
const DECIDED = 50;
const FIRST = IDS[0] as SessionId;
const LAST = IDS[9] as SessionId;

/** A data folder with 50,000 events of a version that knew no audit. */
async function old(): Promise<EngineSetup> {
  const setup = await createEngine();
  await setup.close();
  const journal = openSqliteJournal({ dataDir: setup.dataDir });
  for (const session of IDS) append(journal, session, setup.folder);
  journal.close();
  inDatabase(setup, (db) => db.exec("UPDATE marks SET value = 0 WHERE name = 'audited'"));
  return setup;
}

function append(journal: Journal, session: SessionId, cwd: string): void {
  const created: EventBody = { type: 'session.created', agent: 'demo' as AgentId, cwd, node: 'n1', options: {}, owner: ADA.id, actor: ADA };
  const body = (index: number): EventBody =>
    index % DECIDED === 0 ? { type: 'meta.changed', title: `title ${index}`, actor: ADA } : { type: 'assistant.text', messageId: 'm', index, text: 'x' };
  const events = [created, ...Array.from({ length: EACH - 1 }, (_, index) => body(index + 1))];
  // All at one moment: only their numbers tell the order.
  journal.append({ session, after: 0, at: '2026-01-02T03:04:05.006Z', events });
}

function inDatabase<T>(setup: EngineSetup, look: (db: ReturnType<typeof openDatabase>) => T): T {
  const db = openDatabase(join(setup.dataDir, 'journal.db'));
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const finishedIn = (setup: EngineSetup): readonly string[] =>
  inDatabase(setup, (db) => db.prepare("SELECT name FROM marks WHERE name GLOB 'audited:*'").all()).map((row) => String(row.name).slice('audited:'.length));

const whole = (setup: EngineSetup) => waitFor('the audit to be whole', () => setup.engine.isAuditComplete(), 60_000);

const linesOf = (setup: EngineSetup, session: SessionId): readonly AuditEntry[] => setup.engine.audit({ session, limit: 1000 });

/** The numbers of a session's events that were decisions, newest first, as the audit must tell them. */
const decisions = Array.from({ length: EACH / DECIDED }, (_, index) => index * DECIDED + 1).reverse();

const seqs = (entries: readonly AuditEntry[]) => entries.map((entry) => entry.seq);

test('an engine opens before the audit of many earlier events is made, and what is decided meanwhile comes once and in its order', async () => {
  const setup = await old();
  await setup.reopen();
  expect(setup.engine.isAuditComplete()).toBe(false);
  expect(linesOf(setup, LAST)).toEqual([]);
  const seen: unknown[] = [];
  setup.engine.watch(LAST, ({ kind }) => kind === 'events' && seen.push([setup.engine.isAuditComplete(), seqs(linesOf(setup, LAST))]));
  const { seq } = await setup.do({ type: 'session.describe', sessionId: LAST, title: 'meanwhile' });
  expect(seen).toEqual([[false, [seq]]]);

  await whole(setup);
  expect(seqs(linesOf(setup, LAST))).toEqual([seq, ...decisions]);
  for (const id of IDS.slice(0, -1)) expect(seqs(linesOf(setup, id))).toEqual(decisions);
}, 90_000);

// The mark of a finished session is in the same transaction as its last lines: no kill comes between them.
test('a completion that was cut off continues with the sessions that were not finished, and nothing comes twice', async () => {
  const setup = await old();
  await setup.reopen();
  await waitFor('some lines of a later session', () => linesOf(setup, IDS[3] as SessionId)[0]);
  await setup.close();
  const finished = finishedIn(setup);
  expect(finished).toEqual(expect.arrayContaining(['s0', 's1', 's2']));
  expect(finished).not.toContain(LAST);

  const asked: (string | undefined)[] = [];
  const watched = (journal: Journal): Journal => {
    const complete = journal.completeAudit.bind(journal);
    return Object.assign(journal, {
      completeAudit: (...given: Parameters<Journal['completeAudit']>) => {
        asked.push(given[2]);
        complete(...given);
      },
    });
  };
  await setup.reopen({ journal: watched });
  await whole(setup);
  const finishedNow = asked.filter((session) => session !== undefined);
  expect([...finished, ...finishedNow].sort()).toEqual([...new Set([...finished, ...finishedNow])].sort());
  for (const id of IDS) expect(seqs(linesOf(setup, id))).toEqual(decisions);
  await setup.close();
  expect(finishedIn(setup)).toEqual([]);
}, 90_000);

test('a session that is deleted before its earlier decisions are in the audit leaves all of them there', async () => {
  const setup = await old();
  await setup.reopen();
  expect(linesOf(setup, LAST)).toEqual([]);
  await setup.do({ type: 'session.delete', sessionId: LAST });
  await setup.engine.drain();
  expect(existsSync(join(setup.dataDir, 'sessions', LAST))).toBe(false);
  expect(seqs(linesOf(setup, LAST))).toEqual([EACH + 1, ...decisions]);
  const kept = readAuditOfDeleted(setup.dataDir).map((line) => line.seq);
  expect(kept.slice(-decisions.length - 1)).toEqual([...decisions].reverse().concat(EACH + 1));

  await whole(setup);
  expect(seqs(linesOf(setup, LAST))).toEqual([EACH + 1, ...decisions]);
  expect(seqs(linesOf(setup, FIRST))).toEqual(decisions);
}, 90_000);
