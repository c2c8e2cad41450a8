import type { IndexingNews } from './messages.ts';

type Trouble = Extract<IndexingNews, { readonly tell: 'trouble' }>;

/** Says what went wrong and goes on. What goes wrong again and again for the same reason is said once, until it went well. */
export class Troubles {
  readonly #post: (trouble: Trouble) => void;
  readonly #said = new Map<string, string>();

  constructor(post: (trouble: Trouble) => void) {
    this.#post = post;
  }

  /** What `work` gives, or undefined when it failed. */
  during<T>(what: string, work: () => T): T | undefined {
    try {
      const result = work();
      this.#said.delete(what);
      return result;
    } catch (error) {
      this.say(what, error);
      return undefined;
    }
  }

  say(what: string, error: unknown): void {
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    if (this.#said.get(what) === message) return;
    this.#said.set(what, message);
    this.#post({ tell: 'trouble', what, reason: stack });
  }
}
