import type { DemoLine, DemoOrder } from '../wire.ts';
import type { Settings } from './settings.ts';

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
  readonly settings: Settings;
  /** False once the input has ended: nobody can answer any more. */
  readonly isAttended: () => boolean;
  readonly print: (line: DemoLine) => void;
  readonly pace: () => Promise<void>;
}

type Settled = Answer | Interrupted | 'heard';

/** Where a turn stands. */
export interface Progress extends TurnSetting {
  items: number;
  denied: number;
  said: string;
  /** Names of the texts so far, without those of helpers. */
  texts: readonly string[];
  stopped?: string;
  /** Messages that joined the turn and have not been spoken of yet. */
  heard: string[];
  /** The tool call inside which the work goes on. */
  inside?: { readonly item: string; readonly name: string } | undefined;
  /** Set while the turn waits for a person. */
  waiting?: { readonly request: string; readonly settle: (answer: Settled) => void } | undefined;
}

/** An empty request waits for anything that a person says. */
export function wait(turn: Progress, request: string): Promise<Answer | 'heard'> {
  if (turn.stopped !== undefined || !turn.isAttended()) return Promise.reject(giveUp(turn));
  if (request === '' && turn.heard.length > 0) return Promise.resolve('heard');
  // A promise alone does not keep a Node program alive; its open stdin does, and the end of it settles this.
  return new Promise((resolve, reject) => {
    const settle = (answer: Settled) => {
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

/** A message in mid-turn: spoken of as soon as the sentence or the tool is over. */
export function hear(turn: Progress, text: string): void {
  turn.heard.push(text);
  if (turn.waiting?.request === '') turn.waiting.settle('heard');
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
  return { item: `turn${turn.number}:${index}`, message: `turn${turn.number}`, index, ...(turn.inside ? { parent: turn.inside.item } : {}) };
};
