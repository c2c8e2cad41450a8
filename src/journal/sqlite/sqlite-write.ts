import type { SessionId } from '../../protocol/ids.ts';
import type { Entry } from '../journal.ts';
import { blobsOf, positionsOf, rulesUsedIn } from '../number-events.ts';
import type { Database, Statement } from '../sqlite-driver.ts';
import { prepareAudit, writeAudit } from './sqlite-audit.ts';

/** The statements of an append, prepared once. */
export interface WriteStatements {
  readonly session: Statement;
  readonly event: Statement;
  readonly receipt: Statement;
  readonly run: Statement;
  readonly send: Statement;
  readonly snapshot: Statement;
  readonly blobUse: Statement;
  readonly ruleUse: Statement;
  readonly mark: Statement;
  readonly sendDone: Statement;
  readonly audit: Statement;
  readonly audited: Statement;
  readonly forgetAudited: Statement;
}

export function prepareWrites(db: Database): WriteStatements {
  return {
    session: db.prepare('INSERT INTO sessions (key, id) VALUES (?, ?)'),
    event: db.prepare('INSERT INTO events (position, session, seq, at, type, body) VALUES (?, ?, ?, ?, ?, ?)'),
    receipt: db.prepare('INSERT INTO receipts (command, session, seq, queued, content, position) VALUES (?, ?, ?, ?, ?, ?)'),
    run: db.prepare(`
      INSERT INTO runs (run, session, out_byte, in_byte, adapter_version, fold_state, open) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (run) DO UPDATE SET out_byte = excluded.out_byte, in_byte = excluded.in_byte,
        adapter_version = excluded.adapter_version, fold_state = excluded.fold_state, open = excluded.open`),
    send: db.prepare('INSERT INTO outbox (run, offset, bytes) VALUES (?, ?, ?)'),
    snapshot: db.prepare('INSERT OR REPLACE INTO snapshots (session, seq, version, state) VALUES (?, ?, ?, ?)'),
    blobUse: db.prepare('INSERT OR IGNORE INTO blob_uses (sha256, session) VALUES (?, ?)'),
    ruleUse: db.prepare(`
      INSERT INTO rule_uses (rule, uses, last_at) VALUES (?, 1, ?)
      ON CONFLICT (rule) DO UPDATE SET uses = uses + 1, last_at = max(last_at, excluded.last_at)`),
    mark: db.prepare('UPDATE marks SET value = ? WHERE name = ?'),
    sendDone: db.prepare('DELETE FROM outbox WHERE run = ? AND offset = ?'),
    audit: prepareAudit(db),
    audited: db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, 1)'),
    forgetAudited: db.prepare("DELETE FROM marks WHERE name GLOB 'audited:*'"),
  };
}

/** Where the entry goes: the session's key, and the position before its first event. */
export interface Place {
  readonly key: number;
  readonly position: number;
}

/** Writes a whole entry; the caller opens the transaction. */
export function writeEntry(to: WriteStatements, entry: Entry, place: Place): void {
  writeEvents(to, entry, place);
  writeReceipt(to, entry, place);
  for (const row of entry.runs ?? []) {
    to.run.run(row.run, place.key, row.outByte, row.inByte, row.adapterVersion, JSON.stringify(row.foldState ?? null), row.open ? 1 : 0);
  }
  for (const row of entry.sends ?? []) to.send.run(row.run, row.offset, row.bytes);
  const { snapshot } = entry;
  if (snapshot) to.snapshot.run(place.key, snapshot.seq, snapshot.version, JSON.stringify(snapshot.state));
  for (const line of entry.audit ?? []) writeAudit(to.audit, line);
}

function writeEvents(to: WriteStatements, entry: Entry, place: Place): void {
  let { position } = place;
  let seq = entry.after;
  for (const body of entry.events) {
    position += 1;
    seq += 1;
    to.event.run(position, place.key, seq, body.at ?? entry.at, body.type, JSON.stringify(body));
    for (const sha256 of blobsOf(body)) to.blobUse.run(sha256, place.key);
    for (const rule of rulesUsedIn(body)) to.ruleUse.run(rule, body.at ?? entry.at);
  }
}

function writeReceipt(to: WriteStatements, entry: Entry, place: Place): void {
  const { receipt } = entry;
  if (!receipt) return;
  const queued = receipt.queued === undefined ? null : Number(receipt.queued);
  to.receipt.run(receipt.commandId, place.key, receipt.seq, queued, receipt.content, place.position + positionsOf(entry));
}

const SESSION_TABLES = ['events', 'receipts', 'runs', 'snapshots', 'blob_uses'] as const;

/** Deletes every row of a session; returns the blobs that are no longer used. */
export function deleteSession(db: Database, id: SessionId, key: number): readonly string[] {
  const unused = db
    .prepare(
      'SELECT sha256 FROM blob_uses AS mine WHERE session = ? AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE sha256 = mine.sha256 AND session <> mine.session)',
    )
    .all(key)
    .map((row) => String(row.sha256));
  db.prepare('DELETE FROM outbox WHERE run IN (SELECT run FROM runs WHERE session = ?)').run(key);
  for (const table of SESSION_TABLES) db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(key);
  db.prepare('DELETE FROM sessions WHERE id = ?').run(id);
  return unused;
}
