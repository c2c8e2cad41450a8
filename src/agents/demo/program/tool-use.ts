import type { DemoLine } from '../wire.ts';
import { type Answer, giveUp, Interrupted, nextBlock, type Progress, wait } from './progress.ts';
import { stream } from './speech.ts';

export interface ToolCall {
  readonly name: string;
  readonly kind: 'tool' | 'question' | 'plan';
  readonly title: string;
  readonly input: Input;
  run(input: Input): Promise<ToolOutcome> | ToolOutcome;
}

export type ToolOutcome = Omit<Extract<DemoLine, { type: 'tool.done' }>, 'type' | 'item' | 'at'> & { readonly denied?: boolean };
export type Input = Readonly<Record<string, unknown>>;

export async function callTool(turn: Progress, call: ToolCall): Promise<ToolOutcome> {
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
