import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import * as z from 'zod/mini';
import { CLOSE_CODES, ClientFrame } from '../../protocol/frame.ts';
import { engineFor, indexFor } from '../auth/access.ts';
import type { SignIn } from '../auth/sign-ins.ts';
import type { Identity } from '../auth/tokens.ts';
import type { Client } from './client.ts';
import { jsonOf, receive, type SocketContext } from './incoming.ts';
import { openSocketWriter } from './socket-writer.ts';

/** How long a client has to answer a close frame before it is disconnected. */
const CLOSE_GRACE_MS = 1000;

/** How long a page has to send its key, and how much it can send before that: a hello is about a hundred bytes. */
export const HELLO_LIMIT_MS = 10_000;
const HELLO_BYTES = 4096;

export function mountSocket(app: FastifyInstance, context: SocketContext): void {
  const unauthenticated = new Set<WebSocket>();
  app.addHook('preClose', async () => {
    for (const socket of unauthenticated) socket.terminate();
  });
  app.get('/ws', { websocket: true, config: { role: 'viewer' } }, (socket, request) => {
    if (request.identity === undefined) awaitHello(context, socket, request, unauthenticated);
    else admit(context, socket, request, { id: request.signIn, identity: request.identity });
  });
}

/** A page is unauthenticated until its hello carries the key of its cookie; before that, nothing is sent and nothing else is accepted. */
function awaitHello(context: SocketContext, socket: WebSocket, request: FastifyRequest, unauthenticated: Set<WebSocket>): void {
  unauthenticated.add(socket);
  // A slow connection is no reason to sign in again; with this code the page just retries.
  const timer = setTimeout(() => closeSoon(socket, CLOSE_CODES.slow, 'No hello received in time'), context.helloLimitMs ?? HELLO_LIMIT_MS);
  const stream = request.raw.socket;
  const before = stream.bytesRead;
  const measure = () => stream.bytesRead - before > HELLO_BYTES && socket.terminate();
  const stop = () => {
    unauthenticated.delete(socket);
    clearTimeout(timer);
    stream.off('data', measure);
  };
  stream.on('data', measure);
  socket.once('close', stop);
  socket.once('message', (bytes) => {
    stop();
    // As below: the page reconnects and sends it again.
    if (!context.problems.during('answer pages', () => finishHandshake(context, socket, request, bytes.toString()))) socket.terminate();
  });
}

function finishHandshake(context: SocketContext, socket: WebSocket, request: FastifyRequest, text: string): void {
  const signIn = signInOf(context, request, text);
  if (signIn === undefined) return closeSoon(socket, CLOSE_CODES.unauthorised, 'Sign in first');
  receive(context, admit(context, socket, request, signIn), text);
}

function signInOf({ signIns, cookies }: SocketContext, request: FastifyRequest, text: string): SignIn | undefined {
  const frame = z.safeParse(ClientFrame, jsonOf(text)).data;
  return frame?.type === 'hello' && frame.key !== undefined ? signIns.opened(cookies(request), frame.key) : undefined;
}

function admit(context: SocketContext, socket: WebSocket, request: FastifyRequest, { id, identity }: Admitted): Client {
  const drained = context.problems.guarded('update pages', () => context.hub.drained(client));
  const writer = openSocketWriter(socket, request.raw.socket, drained);
  const client: Client = {
    writer,
    identity,
    signIn: id,
    from: request.from,
    engine: engineFor(context.engine, () => client.identity, context.sessionIndex),
    sessionIndex: indexFor(context.sessionIndex, context.engine, () => client.identity),
    subscriptions: new Map(),
    list: 'off',
    behind: new Set(),
    commandsInFlight: 0,
    beat: { answered: true, sentBytes: 0, receivedBytes: 0 },
    close: (code, reason) => closeSoon(socket, code, reason),
    ping: () => socket.ping(),
  };
  context.hub.join(client);
  socket.on('pong', () => {
    client.beat.answered = true;
  });
  socket.on('message', (bytes) => {
    client.beat.answered = true;
    // If a frame can't be handled, the page reconnects and sends it again.
    if (!context.problems.during('answer pages', () => receive(context, client, bytes.toString()))) writer.cut();
  });
  socket.on(
    'close',
    context.problems.guarded('let pages go', () => context.hub.leave(client)),
  );
  return client;
}

interface Admitted {
  readonly id: string | undefined;
  readonly identity: Identity;
}

/** A close frame can hold 123 bytes of reason. */
function closeSoon(socket: WebSocket, code: number, reason: string): void {
  socket.close(
    code,
    Buffer.from(reason)
      .subarray(0, 120)
      .toString()
      .replace(/\uFFFD$/, ''),
  );
  setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
}
