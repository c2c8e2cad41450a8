import * as z from 'zod/mini';
import { emit, remember } from '../../formats/fold.ts';
import { jsonLine } from '../../formats/json-object.ts';
import { McpCall, McpMessage, mcpError, mcpReply, mcpResult } from '../../formats/mcp-server.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { State, Step } from './state.ts';

/** The CLI speaks MCP to us in control requests: we are one of its servers, on the same two files as everything else. */
const ToolMessage = z.looseObject({ request_id: z.string(), request: z.looseObject({ server_name: z.string(), message: McpMessage }) });

export const TOOL_LINES: Readonly<Record<string, LineKind>> = {
  'control_request/mcp_message': line(ToolMessage, '`tool.called` for a call of one of our tools; everything else is answered at once', toolMessage),
};

function toolMessage(state: State, { request_id, request: { message } }: z.infer<typeof ToolMessage>): Step {
  const next = { ...state, asked: remember(state.asked, request_id) };
  if (message.method !== 'tools/call') return { state: next, observations: [], replies: [answerLine(request_id, mcpReply(message))] };
  const call = z.safeParse(McpCall, message.params);
  if (!call.success || message.id === undefined) {
    return { state: next, observations: [], replies: [answerLine(request_id, mcpError(message.id, -32602, 'A call needs a name and arguments.'))] };
  }
  const toolUseId = call.data._meta?.['claudecode/toolUseId'];
  return emit(next, {
    type: 'tool.called',
    agentRequestId: JSON.stringify([request_id, message.id]),
    toolUseId: typeof toolUseId === 'string' ? toolUseId : request_id,
    tool: call.data.name,
    input: call.data.arguments ?? {},
  });
}

const Ids = z.tuple([z.string(), z.union([z.string(), z.number()])]);

/** The exact JSON-RPC id goes back: with another one the call would stay open forever (2.1.197, 2.1.325). */
export function toolAnswerLine(agentRequestId: string, text: string, isError: boolean): string {
  const [requestId, id] = z.parse(Ids, JSON.parse(agentRequestId));
  return answerLine(requestId, mcpResult(id, text, isError));
}

const answerLine = (requestId: string, message: object): string =>
  jsonLine({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response: { mcp_response: message } } });
