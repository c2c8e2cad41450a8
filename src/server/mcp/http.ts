import { Readable } from 'node:stream';
import { listedTools } from '../../protocol/agent-tools.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { ToolReply } from './tool-server.ts';

type Library = typeof import('./mcp-library.ts');

/** One request to /mcp, already authenticated. */
export interface McpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
  /** Whether the caller is an agent that we run, which gets all tools. */
  readonly isRun: boolean;
  call(tool: string, input: unknown): Promise<ToolReply>;
}

export interface McpAnswer {
  readonly status: number;
  readonly body: Readable | string;
  readonly headers: Readonly<Record<string, string>>;
}

let library: Promise<Library> | undefined;

/** MCP over streamable HTTP: no sessions, each request is complete by itself. The library speaks both generations of the protocol. */
export async function answerMcp(asked: McpRequest): Promise<McpAnswer> {
  // The name is computed, so that the bundler leaves the library out of the server.
  library ??= import(new URL(import.meta.url.endsWith('.ts') ? './mcp-library.ts' : './mcp-library.js', import.meta.url).href) as Promise<Library>;
  const loaded = await library;
  const handler = loaded.createMcpHandler(() => serverFor(loaded, asked));
  const response = await handler.fetch(requestOf(asked), { parsedBody: asked.body });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'content-length'));
  return { status: response.status, headers, body: response.body === null ? '' : Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]) };
}

function requestOf({ method, headers, body }: McpRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] => (HOP.has(name) || value === undefined ? [] : [[name, String(value)]]));
  return new Request('http://localhost/mcp', { method, headers: given, ...(method === 'POST' && { body: JSON.stringify(body ?? null) }) });
}

/** About this connection, or already checked: the host by the gate, the token too. */
const HOP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'authorization',
  'cookie',
]);

const SESSION_URI = /^signalbox:\/\/session\/([\w-]+)$/;

function serverFor({ Server, ProtocolError }: Library, { isRun, call }: McpRequest) {
  const server = new Server({ name: 'signalbox', version: '1' }, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: listedTools(isRun).map(({ name, description, inputSchema, readOnly }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
      annotations: { readOnlyHint: readOnly },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { text, isError } = resultOf(await call(params.name, params.arguments ?? {}));
    return { content: [{ type: 'text' as const, text }], ...(isError && { isError }) };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'signalbox://session/{id}', name: 'session', description: 'A session’s transcript', mimeType: 'text/markdown' }],
  }));
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const [, sessionId] = SESSION_URI.exec(uri) ?? [];
    if (sessionId === undefined) throw new ProtocolError(-32602, `There is no resource ${uri}.`);
    const { text, isError } = resultOf(await call('read_session', { sessionId }));
    if (isError) throw new ProtocolError(-32602, text);
    return { contents: [{ uri, mimeType: 'text/markdown', text }] };
  });
  return server;
}

/** The model reads the same words over every transport. */
function resultOf(reply: ToolReply): { readonly text: string; readonly isError: boolean } {
  if (isRefusal(reply)) return { text: reply.message, isError: true };
  if (reply.state === 'answered') return { text: reply.text, isError: false };
  return {
    text: JSON.stringify({ state: 'waiting', askId: reply.askId, next: `Nobody has answered yet. Call again with askId "${reply.askId}".` }),
    isError: false,
  };
}
