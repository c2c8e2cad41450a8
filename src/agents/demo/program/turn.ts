import type { DemoLine, DemoOrder } from '../wire.ts';

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

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

export interface ToolCall {
  readonly name: string;
  readonly kind: 'tool' | 'question' | 'plan';
  readonly title: string;
  readonly input: Input;
  run(input: Input): Promise<ToolOutcome> | ToolOutcome;
}

export type ToolOutcome = Omit<Extract<DemoLine, { type: 'tool.done' }>, 'type' | 'item' | 'at'> & { readonly denied?: boolean };
export type Input = Readonly<Record<string, unknown>>;
type Answer = Extract<DemoOrder, { type: 'answer' }>;

const UNATTENDED = 'nobody is there to answer any more';

interface TurnSetting {
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

interface Progress extends TurnSetting {
  items: number;
  denied: number;
  said: string;
  stopped?: string;
  /** Set while the turn waits for a person. */
  waiting?: { readonly request: string; readonly settle: (answer: Answer | Interrupted) => void } | undefined;
}

export function beginTurn(setting: TurnSetting): Turn {
  const turn: Progress = { ...setting, items: 0, denied: 0, said: '' };
  return {
    text: setting.text,
    before: setting.before,
    cwd: setting.cwd,
    say: (text) => speak(turn, 'text', text),
    think: (text) => speak(turn, 'thinking', text),
    use: (call) => use(turn, call),
    waitForPerson: () => wait(turn, '').then(() => Promise.reject(new Error('an answer came to no question'))),
    result: () => turn.said,
    denials: () => turn.denied,
    answer: (order) => answer(turn, order),
    interrupt: (reason) => interrupt(turn, reason),
    inputEnded: () => turn.waiting && interrupt(turn, UNATTENDED),
  };
}

async function speak(turn: Progress, kind: 'text' | 'thinking', text: string): Promise<void> {
  const block = nextBlock(turn);
  const sent = await stream(turn, block, { kind, text });
  const interrupted = sent.length < text.length;
  if (kind === 'text') turn.said = sent;
  if (kind === 'text' && sent !== '') turn.print({ type: 'text', ...block, text: sent, ...(interrupted ? { interrupted } : {}) });
  if (kind === 'thinking' && sent !== '') turn.print({ type: 'thinking', ...block, text: sent });
  if (interrupted) throw new Interrupted(turn.stopped);
}

async function use(turn: Progress, call: ToolCall): Promise<ToolOutcome> {
  const block = nextBlock(turn);
  await stream(turn, block, { kind: 'tool_input', text: JSON.stringify(call.input), tool: call.name });
  turn.print({ type: 'tool', ...block, name: call.name, input: { ...call.input } });
  const outcome = await decideAndRun(turn, call, block.item);
  const { denied: _, ...told } = outcome;
  turn.print({ type: 'tool.done', item: block.item, ...told });
  if (turn.stopped !== undefined) throw new Interrupted(turn.stopped);
  return outcome;
}

async function decideAndRun(turn: Progress, call: ToolCall, item: string): Promise<ToolOutcome> {
  if (turn.stopped !== undefined) return { output: `Not run: ${turn.stopped}.`, error: true };
  const verdict = await decide(turn, call, item);
  if (verdict instanceof Interrupted) return { output: `Not run: ${verdict.message}.`, error: true };
  if (verdict.behavior === 'allow') return call.run(verdict.input);
  turn.denied += 1;
  if (verdict.interrupt) turn.stopped = 'you said no and stopped the turn';
  return { output: verdict.message, error: true, denied: true };
}

async function decide(turn: Progress, call: ToolCall, item: string): Promise<Answer | Interrupted> {
  const request = `ask-${item}`;
  const allowed: Answer = { type: 'answer', request, behavior: 'allow', input: call.input };
  const needsNobody = turn.mode === 'bypassPermissions' || (turn.mode === 'acceptEdits' && (call.name === 'Write' || call.name === 'Edit'));
  if (call.kind === 'tool' && needsNobody) return allowed;
  if (call.kind === 'tool' && turn.mode === 'dontAsk')
    return { type: 'answer', request, behavior: 'deny', message: 'This session may not ask.', interrupt: false };
  if (!turn.isAttended()) return giveUp(turn);
  turn.print({ type: 'ask', request, item, tool: call.name, input: { ...call.input }, title: call.title, kind: call.kind });
  return wait(turn, request).catch((error: unknown) => (error instanceof Interrupted ? error : Promise.reject(error)));
}

function wait(turn: Progress, request: string): Promise<Answer> {
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

function answer(turn: Progress, order: Answer): boolean {
  if (turn.waiting?.request !== order.request) return false;
  turn.waiting.settle(order);
  return true;
}

function interrupt(turn: Progress, reason: string): void {
  turn.stopped ??= reason;
  const { waiting } = turn;
  if (waiting?.request) turn.print({ type: 'withdrawn', request: waiting.request, reason });
  waiting?.settle(new Interrupted(reason));
}

function giveUp(turn: Progress): Interrupted {
  turn.stopped ??= UNATTENDED;
  return new Interrupted(turn.stopped);
}

const nextBlock = (turn: Progress) => {
  const index = turn.items;
  turn.items += 1;
  return { item: `turn${turn.number}:${index}`, message: `turn${turn.number}`, index };
};

type Streamed = { readonly kind: 'text' | 'thinking' } | { readonly kind: 'tool_input'; readonly tool: string };

/** Sends word by word and returns what was sent. A tool's input is always sent whole: half of it would be no item. */
async function stream(turn: Progress, block: ReturnType<typeof nextBlock>, what: Streamed & { readonly text: string }): Promise<string> {
  let offset = 0;
  for (const text of what.text.match(/\S+\s*|\s+/g) ?? []) {
    if (turn.stopped !== undefined && what.kind !== 'tool_input') break;
    await turn.pace();
    turn.print({ type: 'delta', ...block, ...what, text, offset });
    offset += text.length;
  }
  return what.text.slice(0, offset);
}
