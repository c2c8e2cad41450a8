import * as z from 'zod/mini';
import type { RpcMessage } from '../formats/json-rpc.ts';
import { commandAsked, filesAsked, questionsAsked } from './approvals.ts';
import type { State, Step } from './state.ts';
import { toolCalled } from './tools.ts';
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
