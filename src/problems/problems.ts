import type { Problem } from '../protocol/api/problem.ts';

/** How long to wait before retrying something that failed. */
export const RETRY_MS = 1000;

interface Log {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

interface Failing {
  /** Two failures with the same cause are the same one. Messages don't work for that, because they contain file names. */
  readonly cause: string;
  readonly reason: string;
  readonly since: string;
  /** The callers for whom it fails: it works again when it works for all of them. */
  readonly who: Set<string>;
}

/**
 * What fails outside a request (a timer, a watcher, a worker's message, a promise that nobody awaits) must not end the server. It is reported here instead: logged once,
 * shown to people until it works again, and retried by its caller. `what` completes the sentence "Signalbox can't …".
 */
export class Problems {
  readonly #failing = new Map<string, Failing>();
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly log: Log,
    private readonly now: () => Date = () => new Date(),
  ) {}

  failed(what: string, error: unknown, who = ''): void {
    const { cause, reason } = explain(error);
    const before = this.#failing.get(what);
    if (before?.cause === cause) {
      before.who.add(who);
      return;
    }
    this.#failing.set(what, { cause, reason, since: before?.since ?? this.now().toISOString(), who: new Set(before?.who).add(who) });
    this.log.error({ err: error }, `Signalbox can't ${what}: ${reason}. It keeps trying.`);
    this.#notify();
  }

  worked(what: string, who = ''): void {
    const failing = this.#failing.get(what);
    if (failing === undefined || !failing.who.delete(who) || failing.who.size > 0) return;
    this.#failing.delete(what);
    this.log.info({}, `Signalbox can ${what} again.`);
    this.#notify();
  }

  /** Runs `work`. Reports a failure instead of throwing, including a rejected promise. False when it failed synchronously. */
  during(what: string, work: () => unknown, who = ''): boolean {
    try {
      const result = work();
      if (result instanceof Promise) {
        result.then(
          () => this.worked(what, who),
          (error: unknown) => this.failed(what, error, who),
        );
      } else this.worked(what, who);
      return true;
    } catch (error) {
      this.failed(what, error, who);
      return false;
    }
  }

  /** `work` as a listener that never throws. */
  guarded<A extends readonly unknown[]>(what: string, work: (...args: A) => unknown, who = ''): (...args: A) => void {
    return (...args) => void this.during(what, () => work(...args), who);
  }

  every(what: string, ms: number, work: () => unknown): NodeJS.Timeout {
    return setInterval(this.guarded(what, work), ms);
  }

  after(what: string, ms: number, work: () => unknown): NodeJS.Timeout {
    return setTimeout(this.guarded(what, work), ms);
  }

  soon(what: string, work: () => unknown): NodeJS.Immediate {
    return setImmediate(this.guarded(what, work));
  }

  /** Runs `work` soon, and again every second until it works. */
  soonWithRetry(what: string, work: () => void): void {
    setImmediate(() => {
      if (!this.during(what, work)) setTimeout(() => this.soonWithRetry(what, work), RETRY_MS).unref();
    });
  }

  /** One sentence per cause, however many things fail because of it. */
  current(): readonly Problem[] {
    const all = [...this.#failing];
    return [...new Set(all.map(([, { reason }]) => reason))].map((reason) => {
      const because = all.filter(([, failing]) => failing.reason === reason);
      const whats = because.map(([what]) => what).join(', ');
      const since = because.map(([, failing]) => failing.since).sort()[0] ?? '';
      return { text: `${reason[0]?.toUpperCase()}${reason.slice(1)}. Signalbox can't ${whats}. It keeps trying.`, since };
    });
  }

  /** Calls `listener` whenever `current` has changed. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Runs `work` for every item even if some fail; then throws the first error. */
export function forEach<T>(items: Iterable<T>, work: (item: T) => void): void {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      work(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

function explain(error: unknown): { readonly cause: string; readonly reason: string } {
  const known = knownIn(error);
  if (known !== undefined) return known;
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const reason = line.replace(/\.$/, '');
  return { cause: reason, reason };
}

/** Our own errors say what failed and have the system's error, which says why, as their cause. */
function knownIn(error: unknown): { readonly cause: string; readonly reason: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = REASONS[code]?.('path' in error && typeof error.path === 'string' ? error.path : 'a file');
  return reason === undefined ? knownIn(error.cause) : { cause: code, reason };
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  EMFILE: () => 'the server has no file descriptors left (raise its limit with "ulimit -n")',
  ENFILE: () => 'the machine has no file descriptors left',
  ENOENT: (path) => `${path} is missing (was it moved?)`,
  EACCES: (path) => `the server has no access to ${path}`,
  EPERM: (path) => `the server has no access to ${path}`,
  EROFS: () => 'the disk is read-only',
  ENOSPC: () => 'the disk is full',
  EDQUOT: () => 'the disk is full',
  EIO: () => 'the disk reports an error',
};
