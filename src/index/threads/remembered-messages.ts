import type { IndexingQuestion } from './messages.ts';

/** What a thread was told and keeps only in its memory: one that is begun anew is told it again. */
export class ToldBefore<Question extends IndexingQuestion> {
  readonly #told = new Map<string, Question>();

  remember(question: Question): void {
    const key = keyOf(question);
    if (key === undefined) return;
    this.#told.delete(key);
    if (question.ask !== 'follow' || question.on) this.#told.set(key, question);
  }

  /** In the order in which it was told. */
  all(): readonly Question[] {
    return [...this.#told.values()];
  }
}

function keyOf(question: IndexingQuestion): string | undefined {
  switch (question.ask) {
    case 'takenUp':
      return `${question.ask} ${question.agent} ${question.agentSessionId}`;
    case 'follow':
      return `${question.ask} ${question.sessionId}`;
    case 'held':
    case 'disk':
      return question.ask;
    default:
      return undefined;
  }
}
