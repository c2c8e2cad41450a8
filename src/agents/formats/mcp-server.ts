import * as z from 'zod/mini';
import { listedTools, TOOL_SERVER } from '../../protocol/agent-tools.ts';

/** A JSON-RPC message of an MCP client, as far as a server with tools needs it. */
export const McpMessage = z.looseObject({
  method: z.string(),
  id: z.optional(z.union([z.string(), z.number()])),
  params: z.optional(z.looseObject({})),
});
export type McpMessage = z.infer<typeof McpMessage>;

export const McpCall = z.looseObject({ name: z.string(), arguments: z.optional(z.record(z.string(), z.unknown())), _meta: z.optional(z.looseObject({})) });

/** The reply to everything but a call of a tool. Claude Code waits for a reply to notifications too, and answers them with the id 0. */
export function mcpReply({ method, id = 0, params }: McpMessage): object {
  const result = resultOf(method, params);
  return { jsonrpc: '2.0', id, ...(result === undefined ? { error: { code: -32601, message: `Signalbox does not support ${method}.` } } : { result }) };
}

export const mcpError = (id: McpMessage['id'], code: number, message: string): object => ({ jsonrpc: '2.0', id, error: { code, message } });

/** Never with `structuredContent`: Claude Code (2.1.197, 2.1.325) then drops the text. */
export const mcpResult = (id: string | number, text: string, isError: boolean): object => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }], ...(isError ? { isError: true } : {}) },
});

function resultOf(method: string, params: McpMessage['params']): object | undefined {
  if (method.startsWith('notifications/') || method === 'ping') return {};
  if (method === 'initialize') return { protocolVersion: versionIn(params), capabilities: { tools: {} }, serverInfo: { name: TOOL_SERVER, version: '1' } };
  return method === 'tools/list' ? { tools: listedTools(true).map(listed) } : undefined;
}

const versionIn = (params: McpMessage['params']): string => (typeof params?.protocolVersion === 'string' ? params.protocolVersion : '2025-11-25');

/** Without the hint, Claude Code runs calls one after another, and an open question would block them; without `alwaysLoad`, 2.1.325 shows only their names. */
const listed = ({ name, description, inputSchema, readOnly }: ReturnType<typeof listedTools>[number]) => ({
  name,
  description,
  inputSchema,
  annotations: { readOnlyHint: readOnly },
  _meta: { 'anthropic/alwaysLoad': true },
});
