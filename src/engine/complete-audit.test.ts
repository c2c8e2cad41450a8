import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { readAuditOfDeleted } from '../journal/audit-of-deleted.ts';
import type { Journal } from '../journal/journal.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import { openDatabase } from '../journal/sqlite-driver.ts';
import type { AuditEntry } from '../protocol/api/audit.ts';
import type { EventBody } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';

const IDS = Array.from({ length: 10 }, (_, index) => `s${index}` as SessionId);
const EACH = 5000;
/** Every 50th event is a decision. */
const DECISION_EVERY = 50;
const FIRST = IDS[0] as SessionId;
const LAST = IDS[9] as SessionId;

/** A data folder with 50,000 events from a version without an audit log. */
async function withoutAudit(): Promise<EngineSetup> {
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
    index % DECISION_EVERY === 0 ? { type: 'meta.changed', title: `title ${index}`, actor: ADA } : { type: 'assistant.text', messageId: 'm', index, text: 'x' };
  const events = [created, ...Array.from({ length: EACH - 1 }, (_, index) => body(index + 1))];
  // All with the same time, so only the seq gives the order.
  journal.append({ session, after: 0, at: '2026-01-02T03:04:05.006Z', events });
}

function inDatabase<T>(setup: EngineSetup, read: (db: ReturnType<typeof openDatabase>) => T): T {
  const db = openDatabase(join(setup.dataDir, 'journal.db'));
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const finishedIn = (setup: EngineSetup): readonly string[] =>
  inDatabase(setup, (db) => db.prepare("SELECT name FROM marks WHERE name GLOB 'audited:*'").all()).map((row) => String(row.name).slice('audited:'.length));

const auditCompleted = (setup: EngineSetup) => waitFor('the audit to be complete', () => setup.engine.isAuditComplete(), 60_000);

const linesOf = (setup: EngineSetup, session: SessionId): readonly AuditEntry[] => setup.engine.audit({ session, limit: 1000 });

/** The seqs of a session's decisions, newest first, as the audit must list them. */
const decisions = Array.from({ length: EACH / DECISION_EVERY }, (_, index) => index * DECISION_EVERY + 1).reverse();

const seqs = (entries: readonly AuditEntry[]) => entries.map((entry) => entry.seq);

test('the engine opens before the audit of many earlier events is complete, and decisions made meanwhile are listed once and in order', async () => {
  const setup = await withoutAudit();
  await setup.reopen();
  expect(setup.engine.isAuditComplete()).toBe(false);
  expect(linesOf(setup, LAST)).toEqual([]);
  const seen: unknown[] = [];
  setup.engine.watch(LAST, ({ kind }) => kind === 'events' && seen.push([setup.engine.isAuditComplete(), seqs(linesOf(setup, LAST))]));
  const { seq } = await setup.do({ type: 'session.describe', sessionId: LAST, title: 'meanwhile' });
  expect(seen).toEqual([[false, [seq]]]);

  await auditCompleted(setup);
  expect(seqs(linesOf(setup, LAST))).toEqual([seq, ...decisions]);
  for (const id of IDS.slice(0, -1)) expect(seqs(linesOf(setup, id))).toEqual(decisions);
}, 90_000);

// The mark of a finished session is in the same transaction as its last lines, so a kill can't separate them.
test('an interrupted completion continues with the unfinished sessions, and no line is added twice', async () => {
  const setup = await withoutAudit();
  await setup.reopen();
  await waitFor('some lines of a later session', () => linesOf(setup, IDS[3] as SessionId)[0]);
  await setup.close();
  const finished = finishedIn(setup);
  expect(finished).toEqual(expect.arrayContaining(['s0', 's1', 's2']));
  expect(finished).not.toContain(LAST);

  const calls: (string | undefined)[] = [];
  const watched = (journal: Journal): Journal => {
    const complete = journal.completeAudit.bind(journal);
    return Object.assign(journal, {
      completeAudit: (...args: Parameters<Journal['completeAudit']>) => {
        calls.push(args[2]);
        complete(...args);
      },
    });
  };
  await setup.reopen({ journal: watched });
  await auditCompleted(setup);
  const finishedNow = calls.filter((session) => session !== undefined);
  expect([...finished, ...finishedNow].sort()).toEqual([...new Set([...finished, ...finishedNow])].sort());
  for (const id of IDS) expect(seqs(linesOf(setup, id))).toEqual(decisions);
  await setup.close();
  expect(finishedIn(setup)).toEqual([]);
}, 90_000);

test('deleting a session before its audit is complete still adds all its decisions', async () => {
  const setup = await withoutAudit();
  await setup.reopen();
  expect(linesOf(setup, LAST)).toEqual([]);
  await setup.do({ type: 'session.delete', sessionId: LAST });
  await setup.engine.drain();
  expect(existsSync(join(setup.dataDir, 'sessions', LAST))).toBe(false);
  expect(seqs(linesOf(setup, LAST))).toEqual([EACH + 1, ...decisions]);
  const kept = readAuditOfDeleted(setup.dataDir).map((line) => line.seq);
  expect(kept.slice(-decisions.length - 1)).toEqual([...decisions].reverse().concat(EACH + 1));

  await auditCompleted(setup);
  expect(seqs(linesOf(setup, LAST))).toEqual([EACH + 1, ...decisions]);
  expect(seqs(linesOf(setup, FIRST))).toEqual(decisions);
}, 90_000);
