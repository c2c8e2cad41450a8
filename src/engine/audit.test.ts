import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { problemsToConsole } from '../../test/support/problems.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { AGENTS } from '../agents/index.ts';
import { openHost } from '../host/open-host.ts';
import { rebuildJournal } from '../journal/rebuild/rebuild.ts';
import { JOURNAL_STEPS } from '../journal/sqlite/schema.ts';
import { openDatabase } from '../journal/sqlite-driver.ts';
import type { AuditEntry } from '../protocol/api/audit.ts';
import type { AgentId, CommandId, SessionId } from '../protocol/ids.ts';
import { refoldWith } from './rebuild/refold-run.ts';

const everything = { limit: 1000 };

/** A session with decisions of people: created, allowed, renamed. */
async function sessionWithDecisions(setup: EngineSetup): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  const options = { env: { KEY: 'the-value-of-a-secret' } };
  await setup.do({ type: 'session.create', sessionId, agent: 'demo' as AgentId, cwd: setup.folder, options, prompt: 'write' });
  const asked = await setup.event(sessionId, 'permission.requested');
  await setup.do({ type: 'permission.answer', sessionId, requestId: asked.requestId, behavior: 'allow' });
  await setup.event(sessionId, 'turn.completed');
  await setup.do({ type: 'session.describe', sessionId, title: 'Kept' });
  return sessionId;
}

/** Without the ids, which start again with the table. */
const withoutIds = (entries: readonly AuditEntry[]) => entries.map(({ id: _, ...line }) => line);

const auditCompleted = (setup: EngineSetup) => waitFor('the audit to be complete', () => setup.engine.isAuditComplete());

async function rebuild(setup: EngineSetup): Promise<void> {
  truncateSync(join(setup.dataDir, 'journal.db'), 100);
  const host = openHost({ problems: problemsToConsole(), dataDir: setup.dataDir });
  await rebuildJournal({ dataDir: setup.dataDir, refold: refoldWith(new Map(AGENTS.map((agent) => [agent.id, agent]))), now: new Date() });
  await host.close();
}

test('every decision of a person is in the audit once, with the seq of its event', async () => {
  const setup = await createEngine();
  const sessionId = await sessionWithDecisions(setup);
  const entries = setup.engine.audit(everything);
  expect(entries.map((entry) => entry.action)).toEqual(['meta.changed', 'permission.resolved', 'input.accepted', 'session.created']);
  expect(entries[1]).toMatchObject({ actor: { id: 'ada' }, sessionId, requestId: expect.any(String), commandId: expect.any(String) });
  expect(entries[1]?.words).toMatch(/^allowed Write .+ in signalbox-engine-/);
  for (const entry of entries) expect(setup.events(sessionId).find((event) => event.seq === entry.seq)).toMatchObject({ type: entry.action, at: entry.at });
  expect(JSON.stringify(entries)).not.toContain('the-value-of-a-secret');
});

test('a repeated command adds no second line, and a refused one adds none', async () => {
  const setup = await createEngine();
  const sessionId = await sessionWithDecisions(setup);
  const before = setup.engine.audit(everything);
  const commandId = before[2]?.commandId;
  await expect(setup.do({ type: 'turn.interrupt', sessionId })).rejects.toThrow('nothing-to-interrupt');
  await setup.do({ type: 'session.describe', sessionId, star: true, commandId: 'again' as never });
  await setup.do({ type: 'session.describe', sessionId, star: true, commandId: 'again' as never });
  expect(commandId).toBeDefined();
  expect(setup.engine.audit(everything)).toHaveLength(before.length + 1);
});

test('a journal from a version without an audit gets one from its events, without duplicate lines', async () => {
  const setup = await createEngine();
  await sessionWithDecisions(setup);
  const before = setup.engine.audit(everything);
  await setup.close();
  const db = openDatabase(join(setup.dataDir, 'journal.db'));
  db.exec(`DROP TABLE audit; DELETE FROM marks WHERE name = 'audited'; PRAGMA user_version = ${JOURNAL_STEPS.length - 1}`);
  db.close();
  await setup.reopen();
  await auditCompleted(setup);
  expect(withoutIds(setup.engine.audit(everything))).toEqual(withoutIds(before));

  // As if the server had been killed before it marked the audit as complete.
  await setup.close();
  const again = openDatabase(join(setup.dataDir, 'journal.db'));
  again.exec("UPDATE marks SET value = 0 WHERE name = 'audited'");
  again.close();
  await setup.reopen();
  await auditCompleted(setup);
  expect(withoutIds(setup.engine.audit(everything))).toEqual(withoutIds(before));
});

test('a rebuild restores the audit, including that of deleted sessions', async () => {
  const setup = await createEngine();
  const gone = await sessionWithDecisions(setup);
  const kept = await sessionWithDecisions(setup);
  await setup.engine.workspace({ type: 'token.add', commandId: randomUUID() as CommandId, name: 'otto', role: 'driver' }, ADA);
  await setup.do({ type: 'session.delete', sessionId: gone });
  await waitFor('the session folder to be deleted', () => (existsSync(join(setup.dataDir, 'sessions', gone)) ? undefined : true));
  await setup.engine.drain();
  const before = setup.engine.audit(everything);
  expect(before.filter((entry) => entry.sessionId === gone)).toHaveLength(5);
  expect(before.filter((entry) => entry.sessionId === undefined)).toMatchObject([{ action: 'token.added', actor: ADA }]);
  await setup.close();

  await rebuild(setup);
  await setup.reopen();
  await auditCompleted(setup);
  const after = setup.engine.audit(everything);
  // Files do not record the order of decisions in different sessions within one millisecond.
  const content = (entries: readonly AuditEntry[]) =>
    withoutIds(entries)
      .map(({ seq: _, ...line }) => line)
      .toSorted((a, b) => b.at.localeCompare(a.at) || a.words.localeCompare(b.words));
  expect(content(after)).toEqual(content(before));
  expect(after.filter((entry) => entry.sessionId === kept)).toHaveLength(4);

  // A second rebuild changes nothing.
  await setup.close();
  await rebuild(setup);
  await setup.reopen();
  await auditCompleted(setup);
  expect(content(setup.engine.audit(everything))).toEqual(content(before));
});

test('a torn line in the file of deleted sessions loses only that line', async () => {
  const setup = await createEngine();
  const ids = [await sessionWithDecisions(setup), await sessionWithDecisions(setup)];
  const file = join(setup.dataDir, 'audit-of-deleted.ndjson');
  for (const sessionId of ids) {
    await setup.do({ type: 'session.delete', sessionId });
    await setup.engine.drain();
    if (sessionId === ids[0]) truncateSync(file, readFileSync(file).byteLength - 20);
  }
  const before = setup.engine.audit(everything);
  await setup.close();
  await rebuild(setup);
  await setup.reopen();
  await auditCompleted(setup);
  expect(setup.engine.audit(everything).length).toBeGreaterThanOrEqual(before.length - 1);
});

test('audit lines cannot be changed or deleted, not even by SQL', async () => {
  const setup = await createEngine();
  await sessionWithDecisions(setup);
  await setup.close();
  const db = openDatabase(join(setup.dataDir, 'journal.db'));
  expect(() => db.exec("UPDATE audit SET actor_id = 'somebody'")).toThrow('never changed');
  expect(() => db.exec('DELETE FROM audit')).toThrow('never deleted');
  db.close();
});
