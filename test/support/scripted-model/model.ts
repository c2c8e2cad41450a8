import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENCE_MS } from '../patience.ts';
import { type ReplyNames, writeAnthropic } from './anthropic.ts';
import { answerControl } from './control.ts';
import { MessagesBody, readScene, type Scene } from './conversation.ts';
import { inDialect } from './dialect.ts';
import { createGate, type Gate } from './gate.ts';
import { writeJson } from './json.ts';
import { type Reply, say } from './reply.ts';
import { asMessages, ResponsesBody, writeResponses } from './responses.ts';
import { SCENARIOS } from './scenarios.ts';

export interface ModelRequest {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  /** The CLI's own session, from its header: distinguishes parallel conversations. */
  readonly sessionId: string;
  readonly scene?: Scene;
  readonly body: unknown;
}

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  gate(name: string): Gate;
  /** The first request, past or future, that matches. */
  waitFor(fits: (request: ModelRequest) => boolean, limitMs?: number): Promise<ModelRequest>;
  close(): Promise<void>;
}

interface Stage {
  readonly requests: ModelRequest[];
  readonly gate: (name: string) => Gate;
  readonly seen: Map<string, number>;
  readonly watchers: Set<(request: ModelRequest) => void>;
}

/** A server on a free loopback port that answers like a model, following the script in the prompt. */
export async function startScriptedModel(port = 0): Promise<ScriptedModel> {
  const stage: Stage = { requests: [], gate: gatekeeper(), seen: new Map(), watchers: new Set() };
  const server = createServer((request, response) => void answer(stage, request, response).catch((error: unknown) => response.destroy(asError(error))));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: stage.requests,
    gate: stage.gate,
    waitFor: (fits, limitMs = PATIENCE_MS) => waitFor(stage, fits, limitMs),
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function answer(stage: Stage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readBody(request);
  const url = new URL(request.url ?? '/', 'http://model');
  if (url.pathname.startsWith('/_')) return answerControl(stage, request.method ?? 'GET', url, response);
  if (request.method === 'HEAD') return void response.end();
  if (url.pathname === '/v1/messages/count_tokens') return writeJson(response, 200, { input_tokens: Math.ceil(text.length / 4) });
  if (url.pathname === '/v1/messages' && request.method === 'POST') return answerMessages(stage, request, text, response);
  if (url.pathname === '/v1/responses' && request.method === 'POST') return answerResponses(stage, text, response);
  writeJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: `no ${request.method} ${url.pathname}` } });
}

async function answerMessages(stage: Stage, request: IncomingMessage, text: string, response: ServerResponse): Promise<void> {
  const body = MessagesBody.parse(JSON.parse(text));
  const sessionId = String(request.headers['x-claude-code-session-id'] ?? '');
  const { reply, scene, names } = replyTo(stage, body, { path: '/v1/messages', sessionId, body });
  await writeAnthropic(response, reply, scene.streams, names, stage.gate);
}

async function answerResponses(stage: Stage, text: string, response: ServerResponse): Promise<void> {
  const body = ResponsesBody.parse(JSON.parse(text));
  const sessionId = typeof body.prompt_cache_key === 'string' ? body.prompt_cache_key : '';
  const { reply, names } = replyTo(stage, asMessages(body), { path: '/v1/responses', sessionId, body });
  await writeResponses(response, reply, names, stage.gate);
}

/** The script's reply to a conversation, in either API format. */
function replyTo(stage: Stage, body: MessagesBody, came: Pick<ModelRequest, 'path' | 'sessionId' | 'body'>): { reply: Reply; scene: Scene; names: ReplyNames } {
  const key = createHash('sha256').update(came.sessionId).update(JSON.stringify(body.messages)).digest('hex').slice(0, 16);
  const attempt = stage.seen.get(key) ?? 0;
  stage.seen.set(key, attempt + 1);
  const scene = readScene(body, attempt);
  remember(stage, { number: stage.requests.length + 1, method: 'POST', scene, ...came });
  const scenario = SCENARIOS[scene.keyword] ?? (() => say(`There is no scene called @${scene.keyword}.`));
  const reply = inDialect(scenario(scene), body.tools ?? []);
  return { reply, scene, names: { key: `${key}${attempt}`, model: body.model ?? 'scripted' } };
}

function remember(stage: Stage, request: ModelRequest): void {
  stage.requests.push(request);
  for (const watcher of [...stage.watchers]) watcher(request);
}

function waitFor(stage: Stage, fits: (request: ModelRequest) => boolean, limitMs: number): Promise<ModelRequest> {
  const past = stage.requests.find(fits);
  if (past) return Promise.resolve(past);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(() => reject(new Error(`no such request came to the model within ${limitMs} ms; ${told(stage)}`))), limitMs);
    const watcher = (request: ModelRequest) => fits(request) && done(() => resolve(request));
    const done = (settle: () => void) => {
      clearTimeout(timer);
      stage.watchers.delete(watcher);
      settle();
    };
    stage.watchers.add(watcher);
  });
}

const told = (stage: Stage): string =>
  `it had ${stage.requests.length}: ${stage.requests.map((one) => `@${one.scene?.keyword} step ${one.scene?.step}`).join(', ')}`;

function gatekeeper(): (name: string) => Gate {
  const gates = new Map<string, Gate>();
  return (name) => {
    const gate = gates.get(name) ?? createGate();
    gates.set(name, gate);
    return gate;
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
