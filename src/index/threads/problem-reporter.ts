import type { RecordsNews } from './messages.ts';

type Problem = Extract<RecordsNews, { readonly kind: 'problem' }>;

/** Reports failures and continues. A repeated failure with the same reason is reported once, until the work succeeds. */
export class ProblemReporter {
  readonly #post: (problem: Problem) => void;
  readonly #reported = new Map<string, string>();

  constructor(post: (problem: Problem) => void) {
    this.#post = post;
  }

  /** The result of `work`, or undefined if it failed. */
  during<T>(what: string, work: () => T): T | undefined {
    try {
      const result = work();
      this.#reported.delete(what);
      return result;
    } catch (error) {
      this.report(what, error);
      return undefined;
    }
  }

  report(what: string, error: unknown): void {
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    if (this.#reported.get(what) === message) return;
    this.#reported.set(what, message);
    this.#post({ kind: 'problem', what, reason: stack });
  }
}
