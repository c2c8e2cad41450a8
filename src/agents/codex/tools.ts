import type * as z from 'zod/mini';
import { listedTools } from '../../protocol/agent-tools.ts';
import { emit } from '../formats/fold.ts';
import type { RpcId } from '../formats/json-rpc.ts';
import { parseId, resultLine, serializeId } from '../formats/json-rpc.ts';
import { isObject } from '../formats/shape.ts';
import type { SendIntent } from '../port/adapter.ts';
import type { State, Step } from './state.ts';
import type { ToolCall } from './wire.ts';

/** Our tools as functions of a thread: Codex (0.166.0) keeps them for the thread's life, through resume and fork, and never asks before it calls one. */
export const dynamicTools = (): readonly object[] =>
  listedTools(true).map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));

export function toolCalled(state: State, id: RpcId, { callId, tool, arguments: input }: z.infer<typeof ToolCall>): Step {
  return emit(state, { type: 'tool.called', agentRequestId: serializeId(id), toolUseId: callId, tool, input: isObject(input) ? { ...input } : {} });
}

/** A failed call looks to the model like any other, so the text has to say what went wrong. */
export const toolAnswerLine = ({ agentRequestId, text, isError }: Extract<SendIntent, { kind: 'tool-answer' }>): string =>
  resultLine(parseId(agentRequestId), { contentItems: [{ type: 'inputText', text }], success: !isError });
