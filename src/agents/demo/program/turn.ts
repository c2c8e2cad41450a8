import { type Answer, answer, hear, interrupt, type Progress, type TurnSetting, UNATTENDED, wait } from './progress.ts';
import type { Settings } from './settings.ts';
import { speak, speakOfHeard } from './speech.ts';
import { callTool, type ToolCall, type ToolOutcome } from './tool-use.ts';

/** What a scene can do in one turn. Everything throws `Interrupted` once somebody stopped the turn. */
export interface Turn {
  readonly text: string;
  /** What the person said in earlier turns. */
  readonly before: readonly string[];
  readonly cwd: string;
  readonly settings: Settings;
  readonly print: TurnSetting['print'];
  readonly pace: TurnSetting['pace'];
  say(text: string): Promise<void>;
  think(text: string): Promise<void>;
  /** Streams the call, asks where the mode wants it, runs it with the input as allowed, and tells how it went. */
  use(call: ToolCall): Promise<ToolOutcome>;
  /** Does the work as a helper inside a tool call. */
  inside<T>(item: string, name: string, work: () => Promise<T>): Promise<T>;
  /** Waits until somebody says something, and speaks of it, or interrupts. */
  waitForPerson(): Promise<string>;
  result(): string;
  texts(): readonly string[];
  denials(): number;
  answer(order: Answer): boolean;
  hear(text: string): void;
  interrupt(reason: string): void;
  inputEnded(): void;
}

export function beginTurn(setting: TurnSetting): Turn {
  const turn: Progress = { ...setting, items: 0, denied: 0, said: '', texts: [], heard: [] };
  const { text, before, cwd, settings, print, pace } = setting;
  return {
    text,
    before,
    cwd,
    settings,
    print,
    pace,
    say: (words) => speak(turn, 'text', words),
    think: (words) => speak(turn, 'thinking', words),
    use: (call) => callTool(turn, call),
    inside: (item, name, work) => inside(turn, { item, name }, work),
    waitForPerson: () => waitForPerson(turn),
    result: () => turn.said,
    texts: () => turn.texts,
    denials: () => turn.denied,
    answer: (order) => answer(turn, order),
    hear: (words) => hear(turn, words),
    interrupt: (reason) => interrupt(turn, reason),
    inputEnded: () => turn.waiting && interrupt(turn, UNATTENDED),
  };
}

async function inside<T>(turn: Progress, place: NonNullable<Progress['inside']>, work: () => Promise<T>): Promise<T> {
  turn.inside = place;
  try {
    return await work();
  } finally {
    turn.inside = undefined;
  }
}

async function waitForPerson(turn: Progress): Promise<string> {
  await wait(turn, '');
  const words = turn.heard.join(' ');
  await speakOfHeard(turn);
  return words;
}
