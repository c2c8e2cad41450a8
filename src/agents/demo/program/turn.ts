import { type Answer, answer, interrupt, type Progress, type TurnSetting, UNATTENDED, wait } from './progress.ts';
import { speak } from './speech.ts';
import { callTool, type ToolCall, type ToolOutcome } from './tool-use.ts';

/** What a scene can do in one turn. Everything throws `Interrupted` once somebody stopped the turn. */
export interface Turn {
  readonly text: string;
  /** What the person said in earlier turns. */
  readonly before: readonly string[];
  readonly cwd: string;
  say(text: string): Promise<void>;
  think(text: string): Promise<void>;
  /** Streams the call, asks where the mode wants it, runs it with the input as allowed, and tells how it went. */
  use(call: ToolCall): Promise<ToolOutcome>;
  /** Waits until somebody interrupts. */
  waitForPerson(): Promise<never>;
  result(): string;
  denials(): number;
  answer(order: Answer): boolean;
  interrupt(reason: string): void;
  inputEnded(): void;
}

export function beginTurn(setting: TurnSetting): Turn {
  const turn: Progress = { ...setting, items: 0, denied: 0, said: '' };
  return {
    text: setting.text,
    before: setting.before,
    cwd: setting.cwd,
    say: (text) => speak(turn, 'text', text),
    think: (text) => speak(turn, 'thinking', text),
    use: (call) => callTool(turn, call),
    waitForPerson: () => wait(turn, '').then(() => Promise.reject(new Error('an answer came to no question'))),
    result: () => turn.said,
    denials: () => turn.denied,
    answer: (order) => answer(turn, order),
    interrupt: (reason) => interrupt(turn, reason),
    inputEnded: () => turn.waiting && interrupt(turn, UNATTENDED),
  };
}
