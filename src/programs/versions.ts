import { statSync } from 'node:fs';
import { askVersion, type Question, type VersionAnswer } from './ask-version.ts';
import { orElse } from './machine-files.ts';

/** The list of agents must not wait for a hanging program every time. */
const LATE_KEPT_MS = 60_000;

/** Asks programs for their versions: once per command line and files as they are now. What failed is asked again. */
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
    if ('problem' in answer) this.forget(key, asked, answer.isLate ? LATE_KEPT_MS : 0);
    return answer;
  }

  private ask(key: string, question: Omit<Question, 'limitMs'>): Promise<VersionAnswer> {
    this.running.add(key);
    return askVersion({ ...question, limitMs: this.limitMs }).finally(() => this.running.delete(key));
  }

  private forget(key: string, asked: Promise<VersionAnswer>, afterMs: number): void {
    const isStill = (): boolean => this.asked.get(key) === asked;
    if (afterMs === 0 && isStill()) this.asked.delete(key);
    else setTimeout(() => isStill() && this.asked.delete(key), afterMs).unref();
  }
}

/** Words of a command line that are files, with when they changed. */
const stamped = (word: string): string => (word.startsWith('/') ? `${word}@${orElse(() => statSync(word).mtimeMs, 0)}` : word);
