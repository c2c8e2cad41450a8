import { writeFileSync } from 'node:fs';
import type { AuditEntry, AuditFilter, AuditLine } from '../protocol/api/audit.ts';
import type { Event, EventType } from '../protocol/event.ts';
import { type CommandId, isSession, type RunId, type SessionId } from '../protocol/ids.ts';
import type { RuleId } from '../protocol/rule.ts';
import { auditKey, matchesAudit, newestFirst } from './audit-filter.ts';
import { sha256Of } from './blobs.ts';
import type { BlobKey, Entry, Journal, OutboxRow, RuleUse, RunRow, Snapshot, StoredReceipt } from './journal.ts';
import { DuplicateReceipt, OutOfOrder } from './journal.ts';
import { blobsOf, lastBefore, numbered, positionsOf, rulesUsedIn } from './number-events.ts';

/** The journal without a disk: the same rules, for tests. */
export function openMemoryJournal(): Journal {
  return new MemoryJournal();
}

interface PositionedEvent {
  readonly position: number;
  readonly session: SessionId;
  readonly event: Event;
}

/** Numbers have no gaps, so the first one shows where each event is. */
const baseOf = (events: readonly Event[]): number => (events[0]?.seq ?? 1) - 1;

class MemoryJournal implements Journal {
  #last = 0;
  #log: PositionedEvent[] = [];
  readonly #events = new Map<SessionId, Event[]>();
  readonly #receipts = new Map<CommandId, StoredReceipt>();
  readonly #snapshots = new Map<SessionId, Snapshot>();
  readonly #runs = new Map<RunId, RunRow>();
  readonly #outbox = new Map<RunId, OutboxRow[]>();
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #uses = new Map<string, Set<SessionId>>();
  readonly #audit: AuditEntry[] = [];
  #isAudited = false;
  readonly #audited = new Set<SessionId>();
  readonly #ruleUses = new Map<RuleId, RuleUse>();

  append(entry: Entry): readonly Event[] {
    const last = lastBefore(this.lastSeq(entry.session), entry);
    if (entry.after !== last) throw new OutOfOrder(entry.session, entry.after, last);
    if (entry.receipt && this.#receipts.has(entry.receipt.commandId)) throw new DuplicateReceipt(entry.receipt.commandId);
    for (const row of entry.sends ?? []) this.#refuseDuplicate(row);
    const events = entry.events.map((body, index) => structuredClone(numbered(body, last + 1 + index, entry.at)));
    const base = this.#last;
    this.#addEvents(entry.session, events);
    this.#last = base + positionsOf(entry);
    if (entry.receipt) this.#receipts.set(entry.receipt.commandId, { ...entry.receipt });
    for (const row of entry.runs ?? []) this.#runs.set(row.run, structuredClone(row));
    for (const row of entry.sends ?? []) this.#outbox.set(row.run, [...(this.#outbox.get(row.run) ?? []), structuredClone(row)]);
    if (entry.snapshot) this.#snapshots.set(entry.session, structuredClone(entry.snapshot));
    this.#addAudit(entry.audit ?? []);
    return events;
  }

  #refuseDuplicate(row: OutboxRow): void {
    const taken = this.#outbox.get(row.run)?.some((other) => other.offset === row.offset);
    if (taken) throw new Error(`Run ${row.run} has a send at ${row.offset} already`);
  }

  #addEvents(session: SessionId, events: readonly Event[]): void {
    const kept = this.#events.get(session) ?? [];
    this.#events.set(session, kept);
    for (const event of events) {
      kept.push(event);
      this.#last += 1;
      this.#log.push({ position: this.#last, session, event });
      for (const sha256 of blobsOf(event)) this.#uses.set(sha256, (this.#uses.get(sha256) ?? new Set()).add(session));
      for (const rule of rulesUsedIn(event)) this.#countUse(rule, event.at);
    }
  }

  #countUse(rule: RuleId, at: string): void {
    const { uses, lastUsedAt } = this.#ruleUses.get(rule) ?? { uses: 0, lastUsedAt: '' };
    this.#ruleUses.set(rule, { uses: uses + 1, lastUsedAt: at > lastUsedAt ? at : lastUsedAt });
  }

  async sync(): Promise<void> {}

  lastSeq(session: SessionId): number {
    return this.#events.get(session)?.at(-1)?.seq ?? 0;
  }

  after(session: SessionId, after: number, limit: number): readonly Event[] {
    const events = this.#events.get(session) ?? [];
    const from = Math.max(0, after - baseOf(events));
    return events.slice(from, from + limit);
  }

  before(session: SessionId, before: number, limit: number): readonly Event[] {
    const events = this.#events.get(session) ?? [];
    const end = Math.max(0, Math.min(before - 1 - baseOf(events), events.length));
    return events.slice(Math.max(0, end - limit), end);
  }

  receipt(commandId: CommandId): StoredReceipt | undefined {
    return this.#receipts.get(commandId);
  }

  snapshot(session: SessionId): Snapshot | undefined {
    return this.#snapshots.get(session);
  }

  sessions(): readonly SessionId[] {
    return this.streams().filter(isSession);
  }

  streams(): readonly SessionId[] {
    return [...this.#events.keys()];
  }

  openRuns(): readonly RunRow[] {
    return [...this.#runs.values()].filter((row) => row.open);
  }

  run(run: RunId): RunRow | undefined {
    return this.#runs.get(run);
  }

  runsOf(session: SessionId): readonly RunRow[] {
    return [...this.#runs.values()].filter((row) => row.session === session);
  }

  pendingSends(run: RunId): readonly OutboxRow[] {
    return [...(this.#outbox.get(run) ?? [])].sort((a, b) => a.offset - b.offset);
  }

  sendDone(run: RunId, offset: number): void {
    this.#outbox.set(
      run,
      (this.#outbox.get(run) ?? []).filter((row) => row.offset !== offset),
    );
  }

  putBlob(bytes: Uint8Array): BlobKey {
    const sha256 = sha256Of(bytes);
    this.#blobs.set(sha256, bytes.slice());
    return { sha256, bytes: bytes.byteLength };
  }

  blob(sha256: string): Uint8Array | undefined {
    return this.#blobs.get(sha256);
  }

  since(position: number, limit: number): readonly PositionedEvent[] {
    return this.#log.filter((positioned) => positioned.position > position).slice(0, limit);
  }

  position(): number {
    return this.#last;
  }

  back(before: number, span: number, types: readonly EventType[]): readonly PositionedEvent[] {
    const isNear = (positioned: PositionedEvent) => positioned.position < before && positioned.position >= before - span;
    return this.#log.filter((positioned) => isNear(positioned) && types.includes(positioned.event.type)).reverse();
  }

  ruleUses(): ReadonlyMap<RuleId, RuleUse> {
    return new Map(this.#ruleUses);
  }

  audit(filter: AuditFilter): readonly AuditEntry[] {
    const sorted = [...this.#audit].sort(newestFirst);
    const last = sorted.findIndex((entry) => entry.id === filter.cursor);
    if (filter.cursor !== undefined && last === -1) return [];
    return sorted
      .slice(last + 1)
      .filter((entry) => matchesAudit(entry, filter))
      .slice(0, filter.limit);
  }

  isAudited(session?: SessionId): boolean {
    return this.#isAudited || (session !== undefined && this.#audited.has(session));
  }

  completeAudit(lines: readonly AuditLine[], whole: boolean, finished?: SessionId): void {
    this.#addAudit(lines);
    this.#isAudited ||= whole;
    if (finished !== undefined) this.#audited.add(finished);
  }

  #addAudit(lines: readonly AuditLine[]): void {
    for (const line of lines) {
      const key = auditKey(line);
      if (key !== undefined && this.#audit.some((entry) => auditKey(entry) === key)) continue;
      this.#audit.push({ ...structuredClone(line), id: this.#audit.length + 1 });
    }
  }

  forget(session: SessionId): void {
    this.#events.delete(session);
    this.#log = this.#log.filter((positioned) => positioned.session !== session);
    this.#snapshots.delete(session);
    for (const row of this.runsOf(session)) {
      this.#runs.delete(row.run);
      this.#outbox.delete(row.run);
    }
    for (const [commandId, receipt] of this.#receipts) if (receipt.sessionId === session) this.#receipts.delete(commandId);
    for (const [sha256, users] of this.#uses) {
      users.delete(session);
      if (users.size > 0) continue;
      this.#uses.delete(sha256);
      this.#blobs.delete(sha256);
    }
  }

  /** There is no database to copy, so it writes the events, one per line. */
  async backup(path: string): Promise<void> {
    writeFileSync(path, this.#log.map((positioned) => `${JSON.stringify(positioned)}\n`).join(''), { mode: 0o600 });
  }

  close(): void {}
}
