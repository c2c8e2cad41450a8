import type { DemoLine, DemoOrder } from '../wire.ts';

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export type Answer = Extract<DemoOrder, { type: 'answer' }>;

export const UNATTENDED = 'nobody is there to answer any more';

export interface TurnSetting {
  readonly number: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly cwd: string;
  readonly mode: string;
  /** False once the input has ended: nobody can answer any more. */
  readonly isAttended: () => boolean;
  readonly print: (line: DemoLine) => void;
  readonly pace: () => Promise<void>;
}

/** Where a turn stands. */
export interface Progress extends TurnSetting {
  items: number;
  denied: number;
  said: string;
  stopped?: string;
  /** Set while the turn waits for a person. */
  waiting?: { readonly request: string; readonly settle: (answer: Answer | Interrupted) => void } | undefined;
}

export function wait(turn: Progress, request: string): Promise<Answer> {
  if (turn.stopped !== undefined || !turn.isAttended()) return Promise.reject(giveUp(turn));
  // A promise alone does not keep a Node program alive; its open stdin does, and the end of it settles this.
  return new Promise((resolve, reject) => {
    const settle = (answer: Answer | Interrupted) => {
      turn.waiting = undefined;
      answer instanceof Interrupted ? reject(answer) : resolve(answer);
    };
    turn.waiting = { request, settle };
  });
}

export function answer(turn: Progress, order: Answer): boolean {
  if (turn.waiting?.request !== order.request) return false;
  turn.waiting.settle(order);
  return true;
}

export function interrupt(turn: Progress, reason: string): void {
  turn.stopped ??= reason;
  const { waiting } = turn;
  if (waiting?.request) turn.print({ type: 'withdrawn', request: waiting.request, reason });
  waiting?.settle(new Interrupted(reason));
}

export function giveUp(turn: Progress): Interrupted {
  turn.stopped ??= UNATTENDED;
  return new Interrupted(turn.stopped);
}

export const nextBlock = (turn: Progress) => {
  const index = turn.items;
  turn.items += 1;
  return { item: `turn${turn.number}:${index}`, message: `turn${turn.number}`, index };
};
