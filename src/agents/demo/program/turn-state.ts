import type { Settings } from './settings.ts';
import type { DemoLine, DemoRequest } from './wire.ts';

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export type Answer = Extract<DemoRequest, { type: 'answer' }>;

export const NO_INPUT = 'nobody can answer anymore';

export interface TurnOptions {
  readonly number: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly cwd: string;
  readonly settings: Settings;
  /** False once the input has ended: then nobody can answer. */
  readonly isInputOpen: () => boolean;
  readonly print: (line: DemoLine) => void;
  readonly pace: () => Promise<void>;
}

type Settled = Answer | Interrupted | 'steered';

/** The state of a running turn. */
export interface TurnState extends TurnOptions {
  items: number;
  denied: number;
  lastText: string;
  /** Names of the texts so far, without those of subagents. */
  texts: readonly string[];
  stopped?: string;
  /** Messages that joined the turn and weren't acknowledged yet. */
  steering: string[];
  /** The tool call whose subagent is working. */
  inside?: { readonly item: string; readonly name: string } | undefined;
  /** Set while the turn waits for a person. */
  waiting?: { readonly request: string; readonly settle: (answer: Settled) => void } | undefined;
}

/** With an empty request, waits for any message. */
export function wait(turn: TurnState, request: string): Promise<Answer | 'steered'> {
  if (turn.stopped !== undefined || !turn.isInputOpen()) return Promise.reject(giveUp(turn));
  if (request === '' && turn.steering.length > 0) return Promise.resolve('steered');
  // A promise alone doesn't keep Node alive; the open stdin does, and its end settles this promise.
  return new Promise((resolve, reject) => {
    const settle = (answer: Settled) => {
      turn.waiting = undefined;
      answer instanceof Interrupted ? reject(answer) : resolve(answer);
    };
    turn.waiting = { request, settle };
  });
}

export function answer(turn: TurnState, reply: Answer): boolean {
  if (turn.waiting?.request !== reply.request) return false;
  turn.waiting.settle(reply);
  return true;
}

/** A message mid-turn: acknowledged at the end of the current sentence or tool. */
export function steer(turn: TurnState, text: string): void {
  turn.steering.push(text);
  if (turn.waiting?.request === '') turn.waiting.settle('steered');
}

export function interrupt(turn: TurnState, reason: string): void {
  turn.stopped ??= reason;
  const { waiting } = turn;
  if (waiting?.request) turn.print({ type: 'withdrawn', request: waiting.request, reason });
  waiting?.settle(new Interrupted(reason));
}

export function giveUp(turn: TurnState): Interrupted {
  turn.stopped ??= NO_INPUT;
  return new Interrupted(turn.stopped);
}

export const nextBlock = (turn: TurnState) => {
  const index = turn.items;
  turn.items += 1;
  return { item: `turn${turn.number}:${index}`, message: `turn${turn.number}`, index, ...(turn.inside ? { parent: turn.inside.item } : {}) };
};
