import { continueAsScheduled } from '../../domain/session/continuation.ts';
import type { Draft } from '../../domain/session/draft.ts';
import { escalate } from '../../domain/session/end-run.ts';
import type { SessionState } from '../../domain/session/state.ts';
import { type Problems, RETRY_MS } from '../../problems/problems.ts';

/** Something that must be decided at a given time, unless the state has changed by then. */
interface Deadline {
  readonly key: string;
  readonly dueAt: number;
  decide(draft: Draft): void;
}

export interface Graces {
  /** How long an agent may take to answer an interrupt. */
  readonly interruptMs: number;
  /** How long it may then take to end its turn. */
  readonly obeyMs: number;
}

const DUE = 'do what is due in sessions';

/** Longer waits are split: a timer counts 31 bits of milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** The timers of one session. They are derived from its state, so a restart sets them again. */
export class Deadlines {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** Interrupts that the agent has acknowledged: its turn is about to end. */
  private readonly answered = new Set<string>();

  constructor(
    private readonly graces: Graces,
    private readonly now: () => number,
    private readonly onDue: (decide: (draft: Draft) => void) => void,
    private readonly problems: Problems,
  ) {}

  /** Sets the timers that this state needs and clears all others. */
  follow(state: SessionState): void {
    if (state.interrupt === null) this.answered.clear();
    const wanted = state.deleted ? [] : [...this.interruptOf(state), ...continuationOf(state)];
    for (const key of this.timers.keys()) if (key !== 'later' && !wanted.some((deadline) => deadline.key === key)) this.clear(key);
    for (const deadline of wanted) if (!this.timers.has(deadline.key)) this.set(deadline);
  }

  /** The agent has answered one of our requests. If it was the interrupt, its turn gets time to end. */
  noteReply(reply: string, state: SessionState): void {
    const { interrupt } = state;
    if (interrupt === null || !reply.includes(interrupt.commandId) || this.answered.has(interrupt.commandId)) return;
    this.clear(`interrupt ${interrupt.commandId}`);
    this.answered.add(interrupt.commandId);
    this.follow(state);
  }

  /** A decision could not be stored (for example because the disk is full): retries after a while. */
  later(follow: () => void): void {
    if (!this.timers.has('later')) this.timers.set('later', this.problems.after(DUE, RETRY_MS, () => this.again(follow)).unref());
  }

  close(): void {
    for (const key of this.timers.keys()) this.clear(key);
  }

  private again(follow: () => void): void {
    this.timers.delete('later');
    follow();
  }

  /** Counted from now, not from the request: after a restart the agent gets the full time again. */
  private interruptOf({ interrupt, run }: SessionState): readonly Deadline[] {
    if (interrupt === null || run.phase === 'none' || run.phase === 'ending') return [];
    const { commandId } = interrupt;
    const graceMs = this.answered.has(commandId) ? this.graces.obeyMs : this.graces.interruptMs;
    return [{ key: `interrupt ${commandId}`, dueAt: this.now() + graceMs, decide: (draft) => escalate(draft, commandId) }];
  }

  private set(deadline: Deadline): void {
    const waitMs = Math.min(Math.max(deadline.dueAt - this.now(), 0), LONGEST_WAIT_MS);
    const due = (): void => {
      this.timers.delete(deadline.key);
      if (this.now() < deadline.dueAt) this.set(deadline);
      else this.onDue(deadline.decide);
    };
    this.timers.set(deadline.key, this.problems.after(DUE, waitMs, due).unref());
  }

  private clear(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }
}

function continuationOf({ continuation }: SessionState): readonly Deadline[] {
  if (continuation === null) return [];
  const { commandId, resumesAt } = continuation;
  return [{ key: `continuation ${commandId}`, dueAt: Date.parse(resumesAt), decide: (draft) => continueAsScheduled(draft, commandId) }];
}
