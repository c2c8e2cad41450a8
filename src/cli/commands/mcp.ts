import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { CALL_HEADER } from '../../protocol/api/tools.ts';
import { openApi, TERMINAL } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT } from '../shared/command.ts';
import type { CliConfig, CliDeps } from '../shared/deps.ts';

/** A server that restarts is back in seconds; a host shows its own progress meanwhile. */
const RETRY_MS = 1000;
const TRIES = 300;

export const mcpCommand: CliCommand = {
  name: 'mcp',
  summary: 'An MCP server on stdin and stdout, for any program that takes one',
  help: `
Usage: signalbox mcp

Passes MCP messages between stdin and stdout and the running server, and waits while the
server is away. Inside an agent's run it acts in that agent's name; otherwise with your token.

Example, for another program's configuration:
  {"mcpServers":{"signalbox":{"command":"signalbox","args":["mcp"]}}}
`,
  flags: {},
  run: async (deps, given) => {
    const config = deps.loadConfig({ data: given.data });
    const open = new Set<Promise<void>>();
    for await (const line of createInterface({ input: deps.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue;
      const passed: Promise<void> = pass(deps, config, line).finally(() => open.delete(passed));
      open.add(passed);
    }
    await Promise.all(open);
    return EXIT.ok;
  },
};

/** Each message is one request; the answers come in any order, as MCP allows. */
async function pass(deps: CliDeps, config: CliConfig, line: string): Promise<void> {
  const message = readMessage(line);
  const callId = randomUUID();
  if (message === undefined) return print(deps, failure(null, -32700, 'This is not JSON.'));
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await forward(deps, config, line, callId));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (tries >= TRIES || !(error instanceof CliProblem || error instanceof TypeError)) return print(deps, failure(message.id, -32603, text));
      await pause(RETRY_MS);
    }
  }
}

/** A call that is sent again has the same id, so it is done once. The address and the token are looked up each time: a restarted server can have another port. */
async function forward(deps: CliDeps, config: CliConfig, line: string, callId: string): Promise<void> {
  const { url, token } = openApi(deps, config);
  const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const headers = { authorization: `Bearer ${token}`, ...accepted, ...TERMINAL, [CALL_HEADER]: callId };
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: line });
  if (response.status === 502 || response.status === 503) throw new CliProblem('The server is not ready.');
  const text = await response.text();
  if (response.status === 202 || text === '') return;
  const messages = response.headers.get('content-type')?.includes('text/event-stream') ? eventsIn(text) : [text];
  for (const each of messages) print(deps, response.ok ? each.replaceAll('\n', ' ') : asFailure(line, each));
}

const eventsIn = (text: string): readonly string[] =>
  text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') && line.length > 6 ? [line.slice(5).trim()] : []));

const print = (deps: CliDeps, line: string): void => void deps.stdout.write(`${line}\n`);

function readMessage(line: string): { readonly id: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return { id: typeof message === 'object' && message !== null && 'id' in message ? message.id : null };
  } catch {
    return undefined;
  }
}

/** An error of the server that is not a JSON-RPC message, such as a wrong token. */
function asFailure(asked: string, text: string): string {
  if (text.includes('"jsonrpc"')) return text;
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? 'The server refused this.';
  return failure(readMessage(asked)?.id ?? null, -32000, JSON.parse(`"${message}"`));
}

const failure = (id: unknown, code: number, message: string): string => JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
