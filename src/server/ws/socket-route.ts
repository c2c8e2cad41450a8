import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../protocol/frame.ts';
import { engineFor, libraryFor } from '../auth/access.ts';
import type { Identity } from '../auth/tokens.ts';
import type { Client } from './client.ts';
import { type Reception, receive } from './incoming.ts';
import { openPipe } from './pipe.ts';

/** How long a client has to answer a close frame before it is cut. */
const CLOSE_GRACE_MS = 1000;

export function mountSocket(app: FastifyInstance, reception: Reception): void {
  app.get('/ws', { websocket: true, config: { role: 'viewer' } }, (socket, request) => {
    if (request.identity === undefined) return socket.close(CLOSE_CODES.unauthorised, 'Sign in first');
    admit(reception, socket, request, request.identity);
  });
}

function admit(reception: Reception, socket: WebSocket, request: FastifyRequest, identity: Identity): void {
  const drained = reception.problems.guarded('update pages', () => reception.hub.drained(client));
  const pipe = openPipe(socket, request.raw.socket, drained);
  const client: Client = {
    pipe,
    identity,
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
