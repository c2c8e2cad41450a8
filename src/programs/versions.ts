import { statSync } from 'node:fs';
import { askVersion, type Question, type VersionAnswer } from './ask-version.ts';
import { orElse } from './machine-files.ts';

/** How long to remember that a program didn't answer, so that the list of agents doesn't wait for it every time. */
const LATE_CACHED_MS = 60_000;

/** Asks programs for their versions, once per command line until a file changes. Failures are retried. */
export class Versions {
  private readonly asked = new Map<string, Promise<VersionAnswer>>();

  private readonly running = new Set<string>();

  constructor(private readonly limitMs: number) {}

  async of(question: Omit<Question, 'limitMs'>, rescan?: 'rescan'): Promise<VersionAnswer> {
    const key = [question.path, ...question.args].map(stamped).join(' ');
    // Only one process per program runs at a time.
    if (rescan !== undefined && !this.running.has(key)) this.asked.delete(key);
    const asked = this.asked.get(key) ?? this.ask(key, question);
    this.asked.set(key, asked);
    const answer = await asked;
    if ('problem' in answer) this.forget(key, asked, answer.isLate ? LATE_CACHED_MS : 0);
    return answer;
  }

  private ask(key: string, question: Omit<Question, 'limitMs'>): Promise<VersionAnswer> {
    this.running.add(key);
    return askVersion({ ...question, limitMs: this.limitMs }).finally(() => this.running.delete(key));
  }

  private forget(key: string, asked: Promise<VersionAnswer>, afterMs: number): void {
    const isCurrent = (): boolean => this.asked.get(key) === asked;
    if (afterMs === 0 && isCurrent()) this.asked.delete(key);
    else setTimeout(() => isCurrent() && this.asked.delete(key), afterMs).unref();
  }
}

/** An argument; for a file, with its modification time. */
const stamped = (word: string): string => (word.startsWith('/') ? `${word}@${orElse(() => statSync(word).mtimeMs, 0)}` : word);
