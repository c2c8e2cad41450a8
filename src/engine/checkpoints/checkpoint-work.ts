import { type CheckpointLog, EMPTY_LOG, foldLog } from '../../domain/checkpoint/log.ts';
import type { Checkpoints } from '../../git/checkpoints.ts';
import type { Journal } from '../../journal/journal.ts';
import type { SessionId } from '../../protocol/ids.ts';

const PAGE = 1000;
/** Logs kept in memory; others are folded again. */
const LOGS = 50;

/** Checkpoints that are being made, and what the journal says about those that were. Nothing is loaded before the first one. */
export class CheckpointWork {
  private readonly jobs = new Set<Promise<void>>();
  private readonly logs = new Map<SessionId, CheckpointLog>();
  private store: Promise<Checkpoints> | undefined;
  /** Refs that no event names are deleted before the first use, and again after a failure. */
  tidied: Promise<unknown> | undefined;
  /** Checkpoints made since their space was last measured; 0 before the first. */
  sinceMeasured = 0;
  /** Why there is no space for further ones. */
  isFull: string | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly open: (() => Promise<Checkpoints>) | undefined,
  ) {}

  get isAvailable(): boolean {
    return this.open !== undefined;
  }

  /** Call only when available. */
  checkpoints(): Promise<Checkpoints> {
    if (this.open === undefined) throw new Error('Checkpoints are not available here');
    this.store ??= this.open();
    return this.store;
  }

  /** What the session's events say, up to its last one. */
  log(session: SessionId, base = 0): CheckpointLog {
    let log = this.logs.get(session) ?? { ...EMPTY_LOG, seq: base };
    for (;;) {
      const events = this.journal.after(session, log.seq, PAGE);
      log = foldLog(log, events);
      if (events.length < PAGE) break;
    }
    this.logs.delete(session);
    this.logs.set(session, log);
    for (const oldest of this.logs.keys()) {
      if (this.logs.size <= LOGS) break;
      this.logs.delete(oldest);
    }
    return log;
  }

  full(reason: string | undefined): void {
    this.isFull = reason;
  }

  forgetLog(session: SessionId): void {
    this.logs.delete(session);
  }

  /** Runs beside everything else; nobody waits for it. */
  start(job: () => Promise<void>, onError: (error: unknown) => void): void {
    const running: Promise<void> = job()
      .catch(onError)
      .finally(() => this.jobs.delete(running));
    this.jobs.add(running);
  }

  async idle(): Promise<void> {
    while (this.jobs.size > 0) await Promise.all(this.jobs);
  }

  get isQuiet(): boolean {
    return this.jobs.size === 0;
  }

  async stop(): Promise<void> {
    const store = await this.store;
    store?.stop();
    await this.idle();
    await store?.idle();
  }
}
