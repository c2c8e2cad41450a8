import type { AuditEntry, AuditFilter } from '../../protocol/api/audit.ts';
import type { Event, EventType } from '../../protocol/event.ts';
import { type CommandId, isSession, type RunId, type SessionId } from '../../protocol/ids.ts';
import type { RuleId } from '../../protocol/rule.ts';
import type { OutboxRow, RuleUse, RunRow, Snapshot, StoredReceipt } from '../journal.ts';
import { guarded } from '../journal-errors.ts';
import { type Database, intOf, type Row, type Statement } from '../sqlite-driver.ts';
import { UPCASTERS, type Upcaster } from '../upcast.ts';
import { numberOf, SessionKeys } from './session-keys.ts';
import { auditedMark, readAudit } from './sqlite-audit.ts';
import { prepareReads, type ReadStatements, toEvent, toReceipt, toRuleUse, toRun, toSend, toSessionId, toSnapshot } from './sqlite-rows.ts';

/** The reading half of the SQLite journal. */
export class SqliteReader {
  protected readonly path: string;
  protected readonly db: Database;
  protected readonly reads: ReadStatements;
  protected readonly keys: SessionKeys;
  readonly #upcasters: readonly Upcaster[];
  readonly #statements = new Map<string, Statement>();

  constructor(path: string, db: Database, upcasters: readonly Upcaster[] = UPCASTERS) {
    this.path = path;
    this.db = db;
    this.reads = prepareReads(db);
    this.keys = new SessionKeys(this.reads);
    this.#upcasters = upcasters;
  }

  lastSeq(session: SessionId): number {
    return this.guarded(() => this.keys.find(session)?.lastSeq ?? 0);
  }

  after(session: SessionId, after: number, limit: number): readonly Event[] {
    return this.guarded(() => {
      const known = this.keys.find(session);
      return known ? this.reads.after.all(known.key, after, limit).map(this.toEvent) : [];
    });
  }

  before(session: SessionId, before: number, limit: number): readonly Event[] {
    return this.guarded(() => {
      const known = this.keys.find(session);
      return known ? this.reads.before.all(known.key, before, limit).map(this.toEvent).reverse() : [];
    });
  }

  receipt(commandId: CommandId): StoredReceipt | undefined {
    return this.guarded(() => {
      const row = this.reads.receipt.get(commandId);
      return row && toReceipt(row);
    });
  }

  snapshot(session: SessionId): Snapshot | undefined {
    return this.guarded(() => {
      const known = this.keys.find(session);
      const row = known && this.reads.snapshot.get(known.key);
      return row && toSnapshot(row);
    });
  }

  sessions(): readonly SessionId[] {
    return this.streams().filter(isSession);
  }

  streams(): readonly SessionId[] {
    return this.guarded(() => this.reads.streams.all().map(toSessionId));
  }

  openRuns(): readonly RunRow[] {
    return this.guarded(() => this.reads.openRuns.all().map(toRun));
  }

  run(run: RunId): RunRow | undefined {
    return this.guarded(() => {
      const row = this.reads.run.get(run);
      return row && toRun(row);
    });
  }

  runsOf(session: SessionId): readonly RunRow[] {
    return this.guarded(() => {
      const known = this.keys.find(session);
      return known ? this.reads.runsOf.all(known.key).map(toRun) : [];
    });
  }

  pendingSends(run: RunId): readonly OutboxRow[] {
    return this.guarded(() => this.reads.pendingSends.all(run).map(toSend));
  }

  since(position: number, limit: number): readonly { readonly position: number; readonly session: SessionId; readonly event: Event }[] {
    return this.guarded(() =>
      this.reads.since.all(position, limit).map((row) => ({ position: intOf(row, 'position'), session: toSessionId(row), event: this.toEvent(row) })),
    );
  }

  back(before: number, span: number, types: readonly EventType[]): readonly { readonly session: SessionId; readonly event: Event }[] {
    return this.guarded(() =>
      this.reads.back.all(before, before - span, JSON.stringify(types)).map((row) => ({ session: toSessionId(row), event: this.toEvent(row) })),
    );
  }

  ruleUses(): ReadonlyMap<RuleId, RuleUse> {
    return this.guarded(() => new Map(this.reads.ruleUses.all().map(toRuleUse)));
  }

  audit(filter: AuditFilter): readonly AuditEntry[] {
    return this.guarded(() => readAudit((sql) => this.#prepared(sql), filter));
  }

  isAudited(session?: SessionId): boolean {
    const marks = session === undefined ? ['audited'] : ['audited', auditedMark(session)];
    return this.guarded(() => marks.some((mark) => numberOf(this.reads.mark.get(mark), 'value') === 1));
  }

  /** Queries differ in their conditions, of which there are few: each is prepared once, because a statement can't be released. */
  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  protected readonly toEvent = (row: Row): Event => toEvent(row, this.#upcasters);

  protected guarded<T>(work: () => T): T {
    return guarded(this.path, work);
  }
}
