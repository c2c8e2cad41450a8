import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WAIT_LIMIT_MS } from '../wait-limit.ts';
import { type ReplyNames, writeAnthropic } from './anthropic.ts';
import { answerControl } from './control.ts';
import { MessagesBody, readScene, type Scene } from './conversation.ts';
import { withToolNamesOf } from './dialect.ts';
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
  waitFor(matches: (request: ModelRequest) => boolean, limitMs?: number): Promise<ModelRequest>;
  close(): Promise<void>;
}

interface ModelState {
  readonly requests: ModelRequest[];
  readonly gate: (name: string) => Gate;
  readonly seen: Map<string, number>;
  readonly watchers: Set<(request: ModelRequest) => void>;
}

/** A server on a free loopback port that answers like a model, following the script in the prompt. */
export async function startScriptedModel(port = 0): Promise<ScriptedModel> {
  const model: ModelState = { requests: [], gate: gatesByName(), seen: new Map(), watchers: new Set() };
  const server = createServer((request, response) => void answer(model, request, response).catch((error: unknown) => response.destroy(asError(error))));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: model.requests,
    gate: model.gate,
    waitFor: (matches, limitMs = WAIT_LIMIT_MS) => waitFor(model, matches, limitMs),
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function answer(model: ModelState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readBody(request);
  const url = new URL(request.url ?? '/', 'http://model');
  if (url.pathname.startsWith('/_')) return answerControl(model, request.method ?? 'GET', url, response);
  if (request.method === 'HEAD') return void response.end();
  if (url.pathname === '/v1/messages/count_tokens') return writeJson(response, 200, { input_tokens: Math.ceil(text.length / 4) });
  if (url.pathname === '/v1/messages' && request.method === 'POST') return answerMessages(model, request, text, response);
  if (url.pathname === '/v1/responses' && request.method === 'POST') return answerResponses(model, text, response);
  writeJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: `no ${request.method} ${url.pathname}` } });
}

async function answerMessages(model: ModelState, request: IncomingMessage, text: string, response: ServerResponse): Promise<void> {
  const body = MessagesBody.parse(JSON.parse(text));
  const sessionId = String(request.headers['x-claude-code-session-id'] ?? '');
  const { reply, scene, names } = replyTo(model, body, { path: '/v1/messages', sessionId, body });
  await writeAnthropic(response, reply, scene.streams, names, model.gate);
}

async function answerResponses(model: ModelState, text: string, response: ServerResponse): Promise<void> {
  const body = ResponsesBody.parse(JSON.parse(text));
  const sessionId = typeof body.prompt_cache_key === 'string' ? body.prompt_cache_key : '';
  const { reply, names } = replyTo(model, asMessages(body), { path: '/v1/responses', sessionId, body });
  await writeResponses(response, reply, names, model.gate);
}

/** The script's reply to a conversation, in either API format. */
function replyTo(
  model: ModelState,
  body: MessagesBody,
  received: Pick<ModelRequest, 'path' | 'sessionId' | 'body'>,
): { reply: Reply; scene: Scene; names: ReplyNames } {
  const key = createHash('sha256').update(received.sessionId).update(JSON.stringify(body.messages)).digest('hex').slice(0, 16);
  const attempt = model.seen.get(key) ?? 0;
  model.seen.set(key, attempt + 1);
  const scene = readScene(body, attempt);
  record(model, { number: model.requests.length + 1, method: 'POST', scene, ...received });
  const scenario = SCENARIOS[scene.keyword] ?? (() => say(`There is no scenario called @${scene.keyword}.`));
  const reply = withToolNamesOf(scenario(scene), body.tools ?? []);
  return { reply, scene, names: { key: `${key}${attempt}`, model: body.model ?? 'scripted' } };
}

function record(model: ModelState, request: ModelRequest): void {
  model.requests.push(request);
  for (const watcher of [...model.watchers]) watcher(request);
}

function waitFor(model: ModelState, matches: (request: ModelRequest) => boolean, limitMs: number): Promise<ModelRequest> {
  const past = model.requests.find(matches);
  if (past) return Promise.resolve(past);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(() => reject(new Error(`the model got no matching request within ${limitMs} ms; ${requestSummary(model)}`))), limitMs);
    const watcher = (request: ModelRequest) => matches(request) && done(() => resolve(request));
    const done = (settle: () => void) => {
      clearTimeout(timer);
      model.watchers.delete(watcher);
      settle();
    };
    model.watchers.add(watcher);
  });
}

const requestSummary = (model: ModelState): string =>
  `it got ${model.requests.length}: ${model.requests.map((one) => `@${one.scene?.keyword} step ${one.scene?.step}`).join(', ')}`;

function gatesByName(): (name: string) => Gate {
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
