import * as z from 'zod/mini';
import { emit } from '../formats/fold.ts';
import type { RpcMessage } from '../formats/json-rpc.ts';
import { serializeId } from '../formats/json-rpc.ts';
import { isObject } from '../formats/shape.ts';
import { commandAsked, filesAsked, questionsAsked } from './approvals.ts';
import type { State, Step } from './state.ts';
import * as wire from './wire.ts';

type Request = Extract<RpcMessage, { kind: 'request' }>;

const asks =
  <S extends z.core.$ZodType>(schema: S, translate: (state: State, id: Request['id'], value: z.infer<S>) => Step) =>
  (state: State, { id, params }: Request): Step | undefined => {
    const parsed = z.safeParse(schema, params);
    return parsed.success ? translate(state, id, parsed.data) : undefined;
  };

export const REQUESTS: Readonly<Record<string, (state: State, request: Request) => Step | undefined>> = {
  'item/commandExecution/requestApproval': asks(wire.CommandApproval, commandAsked),
  'item/fileChange/requestApproval': asks(wire.FileApproval, filesAsked),
  'item/tool/call': asks(wire.ToolCall, toolCalled),
  'item/tool/requestUserInput': asks(wire.UserQuestions, questionsAsked),
};

/** A call of one of our own tools. Ids of requests start at 0 in every process; the call's own id doesn't. */
function toolCalled(state: State, id: Request['id'], { callId, tool, arguments: input }: z.infer<typeof wire.ToolCall>): Step {
  return emit(state, { type: 'tool.called', agentRequestId: serializeId(id), toolUseId: callId, tool, input: isObject(input) ? { ...input } : {} });
}
