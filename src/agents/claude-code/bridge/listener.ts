import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** Where the CLI connects: a WebSocket on loopback with a secret path and token. */
export interface Listener {
  readonly url: string;
  readonly token: string;
}

/** Longer than any line we accept: a frame over the limit would close the connection, and the CLI would resend it forever. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

export async function openListener(accept: (socket: WebSocket) => void): Promise<Listener> {
  const [path, token] = [`/${secret()}`, secret()];
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  const server = createServer((_, response) => void response.writeHead(404).end());
  server.on('upgrade', (request, socket, head) => {
    if (isExpected(request, path, token)) return sockets.handleUpgrade(request, socket, head, accept);
    socket.on('error', () => socket.destroy()); // the client is gone
    socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port on loopback to listen on');
  return { url: `ws://127.0.0.1:${address.port}${path}`, token };
}

const secret = (): string => randomBytes(32).toString('base64url');

const isExpected = ({ url, headers }: IncomingMessage, path: string, token: string): boolean =>
  isSame(url ?? '', path) && isSame(headers.authorization ?? '', `Bearer ${token}`);

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
