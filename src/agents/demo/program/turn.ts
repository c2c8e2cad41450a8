import type { Settings } from './settings.ts';
import { acknowledgeSteering, streamBlock } from './stream-text.ts';
import { callTool, type ToolCall, type ToolOutcome } from './tool-use.ts';
import { type Answer, answer, interrupt, NO_INPUT, steer, type TurnOptions, type TurnState, wait } from './turn-state.ts';

/** What a handler can do in one turn. Everything throws `Interrupted` once the turn is stopped. */
export interface Turn {
  readonly text: string;
  /** The person's messages from earlier turns. */
  readonly before: readonly string[];
  readonly cwd: string;
  readonly settings: Settings;
  readonly print: TurnOptions['print'];
  readonly pace: TurnOptions['pace'];
  say(text: string): Promise<void>;
  think(text: string): Promise<void>;
  /** Streams the call, asks if the mode requires it, runs it with the approved input, and reports the result. */
  use(call: ToolCall): Promise<ToolOutcome>;
  /** Works as a subagent inside a tool call. */
  inside<T>(item: string, name: string, work: () => Promise<T>): Promise<T>;
  /** Waits for a message and acknowledges it, or for an interrupt. */
  waitForPerson(): Promise<string>;
  result(): string;
  texts(): readonly string[];
  denials(): number;
  answer(reply: Answer): boolean;
  steer(text: string): void;
  interrupt(reason: string): void;
  inputEnded(): void;
}

export function startTurn(setting: TurnOptions): Turn {
  const turn: TurnState = { ...setting, items: 0, denied: 0, lastText: '', texts: [], steering: [] };
  const { text, before, cwd, settings, print, pace } = setting;
  return {
    text,
    before,
    cwd,
    settings,
    print,
    pace,
    say: (words) => streamBlock(turn, 'text', words),
    think: (words) => streamBlock(turn, 'thinking', words),
    use: (call) => callTool(turn, call),
    inside: (item, name, work) => inside(turn, { item, name }, work),
    waitForPerson: () => waitForPerson(turn),
    result: () => turn.lastText,
    texts: () => turn.texts,
    denials: () => turn.denied,
    answer: (reply) => answer(turn, reply),
    steer: (words) => steer(turn, words),
    interrupt: (reason) => interrupt(turn, reason),
    inputEnded: () => turn.waiting && interrupt(turn, NO_INPUT),
  };
}

async function inside<T>(turn: TurnState, place: NonNullable<TurnState['inside']>, work: () => Promise<T>): Promise<T> {
  turn.inside = place;
  try {
    return await work();
  } finally {
    turn.inside = undefined;
  }
}

async function waitForPerson(turn: TurnState): Promise<string> {
  await wait(turn, '');
  const words = turn.steering.join(' ');
  await acknowledgeSteering(turn);
  return words;
}
