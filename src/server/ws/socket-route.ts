import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import * as z from 'zod/mini';
import { CLOSE_CODES, ClientFrame } from '../../protocol/frame.ts';
import { engineFor, libraryFor } from '../auth/access.ts';
import type { SignIn } from '../auth/sign-ins.ts';
import type { Identity } from '../auth/tokens.ts';
import type { Client } from './client.ts';
import { jsonOf, type Reception, receive } from './incoming.ts';
import { openPipe } from './socket-writer.ts';

/** How long a client has to answer a close frame before it is cut. */
const CLOSE_GRACE_MS = 1000;

/** How long a page has to show its key, and how much it may send before: a hello is a hundred bytes. */
export const HELLO_LIMIT_MS = 10_000;
const HELLO_BYTES = 4096;

export function mountSocket(app: FastifyInstance, reception: Reception): void {
  const nameless = new Set<WebSocket>();
  app.addHook('preClose', async () => {
    for (const socket of nameless) socket.terminate();
  });
  app.get('/ws', { websocket: true, config: { role: 'viewer' } }, (socket, request) => {
    if (request.identity === undefined) awaitKey(reception, socket, request, nameless);
    else admit(reception, socket, request, { id: request.signIn, identity: request.identity });
  });
}

/** A page is nobody until its hello shows the key that belongs to its cookie: before that nothing is said, and nothing else is heard. */
function awaitKey(reception: Reception, socket: WebSocket, request: FastifyRequest, nameless: Set<WebSocket>): void {
  nameless.add(socket);
  // A slow line is no reason to sign in again: the page tries once more.
  const timer = setTimeout(() => closeSoon(socket, CLOSE_CODES.slow, 'No hello came'), reception.helloLimitMs ?? HELLO_LIMIT_MS);
  const stream = request.raw.socket;
  const before = stream.bytesRead;
  const measure = () => stream.bytesRead - before > HELLO_BYTES && socket.terminate();
  const stop = () => {
    nameless.delete(socket);
    clearTimeout(timer);
    stream.off('data', measure);
  };
  stream.on('data', measure);
  socket.once('close', stop);
  socket.once('message', (bytes) => {
    stop();
    // As below: it comes back and says it again.
    if (!reception.problems.during('answer pages', () => greeted(reception, socket, request, bytes.toString()))) socket.terminate();
  });
}

function greeted(reception: Reception, socket: WebSocket, request: FastifyRequest, text: string): void {
  const signIn = signInOf(reception, request, text);
  if (signIn === undefined) return closeSoon(socket, CLOSE_CODES.unauthorised, 'Sign in first');
  receive(reception, admit(reception, socket, request, signIn), text);
}

function signInOf({ signIns, cookies }: Reception, request: FastifyRequest, text: string): SignIn | undefined {
  const frame = z.safeParse(ClientFrame, jsonOf(text)).data;
  return frame?.type === 'hello' && frame.key !== undefined ? signIns.opened(cookies(request), frame.key) : undefined;
}

function admit(reception: Reception, socket: WebSocket, request: FastifyRequest, { id, identity }: Admitted): Client {
  const drained = reception.problems.guarded('update pages', () => reception.hub.drained(client));
  const pipe = openPipe(socket, request.raw.socket, drained);
  const client: Client = {
    pipe,
    identity,
    signIn: id,
    from: request.from,
    engine: engineFor(reception.engine, () => client.identity, reception.library),
    library: libraryFor(reception.library, reception.engine, () => client.identity),
    subscriptions: new Map(),
    list: 'off',
    behind: new Set(),
    commandsInFlight: 0,
    beat: { answered: true, takenBytes: 0, givenBytes: 0 },
    close: (code, reason) => closeSoon(socket, code, reason),
    ping: () => socket.ping(),
  };
  reception.hub.join(client);
  socket.on('pong', () => {
    client.beat.answered = true;
  });
  socket.on('message', (bytes) => {
    client.beat.answered = true;
    // A page whose frame could not be taken comes back and says it again.
    if (!reception.problems.during('answer pages', () => receive(reception, client, bytes.toString()))) pipe.cut();
  });
  socket.on(
    'close',
    reception.problems.guarded('let pages go', () => reception.hub.leave(client)),
  );
  return client;
}

interface Admitted {
  readonly id: string | undefined;
  readonly identity: Identity;
}

/** A close frame may carry 123 bytes of reason. */
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
