import { applyGrants } from './settings.ts';
import { acknowledgeSteering, stream } from './stream-text.ts';
import { type Answer, giveUp, Interrupted, nextBlock, type TurnState, wait } from './turn-state.ts';
import type { Allow, DemoLine } from './wire.ts';

export interface ToolCall {
  readonly name: string;
  /** `call`: a tool of Signalbox, which runs it and answers with the result. */
  readonly kind: 'tool' | 'question' | 'plan' | 'call';
  readonly title: string;
  readonly input: Input;
  /** Suggestions that would avoid more requests of this kind. */
  readonly suggestions?: readonly Input[];
  /** Read-only: never needs approval. */
  readonly isHarmless?: boolean;
  run(input: Input, item: string): Promise<ToolOutcome> | ToolOutcome;
}

export type ToolOutcome = Omit<Extract<DemoLine, { type: 'tool.done' }>, 'type' | 'item' | 'at'> & { readonly denied?: boolean };
export type Input = Readonly<Record<string, unknown>>;

export async function callTool(turn: TurnState, call: ToolCall): Promise<ToolOutcome> {
  const block = nextBlock(turn);
  await stream(turn, block, { kind: 'tool_input', text: JSON.stringify(call.input), tool: call.name });
  turn.print({ type: 'tool', ...block, name: call.name, input: { ...call.input } });
  const outcome = await decideAndRun(turn, call, block.item);
  const { denied: _, ...reported } = outcome;
  turn.print({ type: 'tool.done', item: block.item, ...reported, ...(turn.inside ? { parent: turn.inside.item } : {}) });
  if (turn.stopped !== undefined) throw new Interrupted(turn.stopped);
  await acknowledgeSteering(turn);
  return outcome;
}

async function decideAndRun(turn: TurnState, call: ToolCall, item: string): Promise<ToolOutcome> {
  if (turn.stopped !== undefined) return { output: `Not run: ${turn.stopped}.`, error: true };
  const verdict = await decide(turn, call, item);
  if (verdict instanceof Interrupted) return { output: `Not run: ${verdict.message}.`, error: true };
  if (verdict.behavior === 'allow') {
    applyGrants(turn.settings, verdict, turn.print);
    return call.run(verdict.input, item);
  }
  turn.denied += 1;
  if (verdict.interrupt) turn.stopped = 'you denied it and stopped the turn';
  return { output: verdict.message, error: true, denied: true };
}

async function decide(turn: TurnState, call: ToolCall, item: string): Promise<Answer | Interrupted> {
  const request = `ask-${item}`;
  const { mode } = turn.settings;
  const refused = (message: string): Answer => ({ type: 'answer', request, behavior: 'deny', message, interrupt: false });
  if (call.isHarmless === true || (call.kind === 'tool' && needsNoApproval(turn, call))) return allowed(request, call);
  if (call.kind === 'tool' && mode === 'plan') return refused('This session is in plan mode. Approve a plan first, or choose another mode.');
  if (call.kind === 'tool' && mode === 'dontAsk') return refused('This session is not allowed to ask.');
  if (!turn.isInputOpen()) return giveUp(turn);
  const { kind, name: tool, input } = call;
  turn.print(kind === 'call' ? { type: 'call', request, item, tool, input: { ...input } } : askLine(turn, { ...call, kind }, item, request));
  return wait(turn, request).then(
    (answer) => (answer === 'steered' ? refused('a message arrived instead of an answer') : answer),
    (error: unknown) => (error instanceof Interrupted ? error : Promise.reject(error)),
  );
}

const allowed = (request: string, call: ToolCall): Allow => ({ type: 'answer', request, behavior: 'allow', input: call.input, grants: [] });

const WRITES = ['Write', 'Edit', 'MultiEdit'];

function needsNoApproval({ settings }: TurnState, { name, input }: ToolCall): boolean {
  if (settings.mode === 'bypassPermissions' || (settings.mode === 'acceptEdits' && WRITES.includes(name))) return true;
  return settings.granted.has(name) || settings.granted.has(`${name}(${String(input.command ?? input.url ?? '')})`);
}

function askLine(turn: TurnState, call: ToolCall & { readonly kind: 'tool' | 'question' | 'plan' }, item: string, request: string): DemoLine {
  return {
    type: 'ask',
    request,
    item,
    tool: call.name,
    input: { ...call.input },
    title: call.title,
    kind: call.kind,
    ...(call.suggestions === undefined ? {} : { suggestions: call.suggestions.map((suggestion) => ({ ...suggestion })) }),
    ...(turn.inside === undefined ? {} : { subagent: turn.inside.name }),
  };
}
