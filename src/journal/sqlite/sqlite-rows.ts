import type { Event } from '../../protocol/event.ts';
import type { CommandId, RunId, SessionId } from '../../protocol/ids.ts';
import type { RuleId } from '../../protocol/rule.ts';
import type { OutboxRow, RuleUse, RunRow, Snapshot, StoredReceipt } from '../journal.ts';
import type { Anchor } from '../mirror.ts';
import { numbered } from '../number-events.ts';
import { bytesOf, type Database, intOf, jsonOf, type Row, textOf } from '../sqlite-driver.ts';
import { type Upcaster, upcast } from '../upcast.ts';

export type ReadStatements = ReturnType<typeof prepareReads>;

const PLACED = 'SELECT position, id, seq, at, body FROM events JOIN sessions ON sessions.key = events.session';
const RECEIPT = 'SELECT command, id, seq, queued, content FROM receipts JOIN sessions ON sessions.key = receipts.session';
const RUN = 'SELECT runs.*, sessions.id FROM runs JOIN sessions ON sessions.key = runs.session';

/** Matches `isMirrored`. A damaged body is not parsed. */
const NOT_OF_A_LINE = `CASE WHEN json_valid(body) THEN
  json_extract(body, '$.inherited') OR json_extract(body, '$.src') IS NULL OR json_extract(body, '$.src.file') IS NOT NULL END`;

/** The statements of all reads, prepared once. They identify sessions by key. */
export function prepareReads(db: Database) {
  return {
    streams: db.prepare('SELECT id FROM sessions ORDER BY key'),
    key: db.prepare('SELECT key FROM sessions WHERE id = ?'),
    maxKey: db.prepare('SELECT coalesce(max(key), 0) AS key FROM sessions'),
    lastSeq: db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM events WHERE session = ?'),
    after: db.prepare('SELECT seq, at, body FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?'),
    before: db.prepare('SELECT seq, at, body FROM events WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?'),
    since: db.prepare(`${PLACED} WHERE position > ? ORDER BY position LIMIT ?`),
    sinceMirrored: db.prepare(`${PLACED} WHERE position > ? AND (type IN (SELECT value FROM json_each(?)) OR ${NOT_OF_A_LINE}) ORDER BY position`),
    back: db.prepare(`${PLACED} WHERE position < ? AND position >= ? AND type IN (SELECT value FROM json_each(?)) ORDER BY position DESC`),
    ruleUses: db.prepare('SELECT rule, uses, last_at FROM rule_uses'),
    maxPosition: db.prepare('SELECT coalesce(max(position), 0) AS position FROM events'),
    maxReceipt: db.prepare('SELECT coalesce(max(position), 0) AS position FROM receipts'),
    receipt: db.prepare(`${RECEIPT} WHERE command = ?`),
    receiptsSince: db.prepare(`${RECEIPT} WHERE position > ? ORDER BY position`),
    snapshot: db.prepare('SELECT seq, version, state FROM snapshots WHERE session = ?'),
    openRuns: db.prepare(`${RUN} WHERE open = 1 ORDER BY ordinal`),
    run: db.prepare(`${RUN} WHERE run = ?`),
    runsOf: db.prepare(`${RUN} WHERE session = ? ORDER BY ordinal`),
    lastRun: db.prepare('SELECT run, out_byte FROM runs WHERE session = ? ORDER BY ordinal DESC LIMIT 1'),
    pendingSends: db.prepare('SELECT run, offset, bytes FROM outbox WHERE run = ? ORDER BY offset'),
    mark: db.prepare('SELECT value FROM marks WHERE name = ?'),
  };
}

export function toEvent(row: Row, upcasters: readonly Upcaster[]): Event {
  const body = upcast(jsonOf(row, 'body'), upcasters);
  return numbered(body, intOf(row, 'seq'), textOf(row, 'at'));
}

// Ids were parsed before they were stored; this only restores the types.
export const toSessionId = (row: Row): SessionId => textOf(row, 'id') as SessionId;

export function toReceipt(row: Row): StoredReceipt {
  const receipt = { commandId: textOf(row, 'command') as CommandId, sessionId: toSessionId(row), seq: intOf(row, 'seq'), content: textOf(row, 'content') };
  return row.queued === null ? receipt : { ...receipt, queued: intOf(row, 'queued') === 1 };
}

export function toRun(row: Row): RunRow {
  return {
    run: textOf(row, 'run') as RunId,
    session: toSessionId(row),
    outByte: intOf(row, 'out_byte'),
    inByte: intOf(row, 'in_byte'),
    adapterVersion: intOf(row, 'adapter_version'),
    foldState: jsonOf(row, 'fold_state'),
    open: intOf(row, 'open') === 1,
  };
}

export function toAnchor(row: Row): Anchor {
  return { run: textOf(row, 'run') as RunId, byte: intOf(row, 'out_byte') };
}

export function toSend(row: Row): OutboxRow {
  return { run: textOf(row, 'run') as RunId, offset: intOf(row, 'offset'), bytes: bytesOf(row, 'bytes') };
}

export function toSnapshot(row: Row): Snapshot {
  return { seq: intOf(row, 'seq'), version: intOf(row, 'version'), state: jsonOf(row, 'state') };
}

export function toRuleUse(row: Row): readonly [RuleId, RuleUse] {
  return [textOf(row, 'rule') as RuleId, { uses: intOf(row, 'uses'), lastUsedAt: textOf(row, 'last_at') }];
}
