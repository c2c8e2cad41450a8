import type { AuditEntry, AuditFilter, AuditLine } from '../protocol/api/audit.ts';
import type { Receipt } from '../protocol/command.ts';
import type { Event, EventBody, EventType } from '../protocol/event.ts';
import type { CommandId, RunId, SessionId } from '../protocol/ids.ts';
import type { RuleId } from '../protocol/rule.ts';

/** The append-only truth. Reads and appends are synchronous; only `sync` waits for the disk. */
export interface Journal {
  /**
   * Stores everything that one decision produces in one transaction. Numbers the events from `after + 1`: a new session starts after 0,
   * or after the `base` in its `session.created`. Throws `OutOfOrder` if `after` is not the session's last seq,
   * `DuplicateReceipt` if the command already has a receipt.
   */
  append(entry: Entry): readonly Event[];
  /** Resolves when everything appended so far would survive a power loss. Calls share one flush. */
  sync(): Promise<void>;

  lastSeq(session: SessionId): number;
  /** Events with seq > after, ascending. */
  after(session: SessionId, after: number, limit: number): readonly Event[];
  /** The last `limit` events with seq < before, ascending. */
  before(session: SessionId, before: number, limit: number): readonly Event[];
  receipt(commandId: CommandId): StoredReceipt | undefined;
  snapshot(session: SessionId): Snapshot | undefined;
  /** Every session; the streams of the workspace and of plans aren't sessions. */
  sessions(): readonly SessionId[];
  /** Every stream: sessions, the workspace, plans. */
  streams(): readonly SessionId[];
  /** Runs that are not closed, with their reading positions. */
  openRuns(): readonly RunRow[];
  run(run: RunId): RunRow | undefined;
  runsOf(session: SessionId): readonly RunRow[];
  /** Sends that were decided but aren't known to be in the file, in order. */
  pendingSends(run: RunId): readonly OutboxRow[];
  sendDone(run: RunId, offset: number): void;

  putBlob(bytes: Uint8Array): BlobKey;
  blob(sha256: string): Uint8Array | undefined;

  /** Everything after a global position, for views. Positions increase with every append, over all sessions. */
  since(position: number, limit: number): readonly { readonly position: number; readonly session: SessionId; readonly event: Event }[];
  position(): number;
  /** Looks back: events of these types among the `span` positions below `before`, newest first. */
  back(before: number, span: number, types: readonly EventType[]): readonly { readonly session: SessionId; readonly event: Event }[];
  /** How often each rule decided something, and when it last did; kept forever, even for deleted sessions. */
  ruleUses(): ReadonlyMap<RuleId, RuleUse>;

  /** Decisions, newest first. */
  audit(filter: AuditFilter): readonly AuditEntry[];
  /** False while there are events here, or in this session, without audit lines: from an older version, or from a rebuild. */
  isAudited(session?: SessionId): boolean;
  /**
   * Adds lines that belong to earlier events; a line that already exists is not added again.
   * `whole` says that nothing is missing anymore; `finished`, that nothing of this session is.
   */
  completeAudit(lines: readonly AuditLine[], whole: boolean, finished?: SessionId): void;

  /** Removes a session completely, including receipts and blobs that nothing else uses. Its audit lines stay forever. */
  forget(session: SessionId): void;
  /** A consistent online copy, while appends continue. */
  backup(path: string): Promise<void>;
  /** Can be called twice. */
  close(): void;
}

export interface Entry {
  readonly session: SessionId;
  readonly after: number;
  readonly at: string;
  readonly events: readonly (EventBody & { readonly at?: string })[];
  /** Stored under the command's id with a hash of its content, so that a repeat gets the same answer and a different command is noticed. */
  readonly receipt?: StoredReceipt;
  readonly sends?: readonly OutboxRow[];
  readonly runs?: readonly RunRow[];
  readonly snapshot?: Snapshot;
  /** What someone decided here, in words that are kept forever. */
  readonly audit?: readonly AuditLine[];
}

export interface StoredReceipt extends Receipt {
  /** SHA-256 of the command without its id. */
  readonly content: string;
}

/** `offset` is the size in.ndjson must have before these bytes. */
export interface OutboxRow {
  readonly run: RunId;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The position of a run: bytes of out.ndjson that are folded, the adapter's state there, bytes of in.ndjson decided so far. */
export interface RunRow {
  readonly run: RunId;
  readonly session: SessionId;
  readonly outByte: number;
  readonly inByte: number;
  readonly adapterVersion: number;
  readonly foldState: unknown;
  readonly open: boolean;
}

/** A session's folded state at a seq, so that no restart has to fold from event 1. */
export interface Snapshot {
  readonly seq: number;
  readonly version: number;
  readonly state: unknown;
}

export interface RuleUse {
  readonly uses: number;
  readonly lastUsedAt: string;
}

export interface BlobKey {
  readonly sha256: string;
  readonly bytes: number;
}

export class OutOfOrder extends Error {
  override readonly name = 'OutOfOrder';
  constructor(
    readonly session: SessionId,
    readonly expected: number,
    readonly found: number,
  ) {
    super(`Session ${session}: an append after ${expected} met ${found} as the last seq`);
  }
}

/** A command id is used once; a repeat must be answered from its receipt before anything is appended. */
export class DuplicateReceipt extends Error {
  override readonly name = 'DuplicateReceipt';
  constructor(readonly commandId: CommandId) {
    super(`Command ${commandId} already has a receipt`);
  }
}
