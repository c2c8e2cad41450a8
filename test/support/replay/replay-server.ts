import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { ClientFrame, type ServerFrame } from '../../../src/protocol/frame.ts';
import { ReplayJournals, type ReplaySession } from './replay-journals.ts';

export interface ReplayServer {
  readonly url: string;
  readonly book: ReplayJournals;
  /** Every frame that a client sent, in order of arrival. */
  readonly received: ClientFrame[];
  /** Cuts every connection at once, like a crashing server. */
  drop(): void;
  /** While true, it accepts frames but sends nothing. */
  isMute: boolean;
  close(): Promise<void>;
}

const POLICY = "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data: blob:; connect-src 'self'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves stored journals as real frames: enough of a server to render the page and to drop its connection. */
export async function openReplayServer(sessions: readonly ReplaySession[], webRoot?: string): Promise<ReplayServer> {
  const book = new ReplayJournals(sessions);
  const http = createServer((request, response) => void serve(book, webRoot, request, response));
  const sockets = new WebSocketServer({ server: http, path: '/ws' });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const replay: ReplayServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    book,
    received: [],
    isMute: false,
    drop: () => terminateAll(sockets),
    close: () => closeAll(http, sockets),
  };
  sockets.on('connection', (socket) => connectClient(replay, socket));
  return replay;
}

function connectClient(replay: ReplayServer, socket: WebSocket): void {
  const send = (frame: ServerFrame) => !replay.isMute && socket.send(JSON.stringify(frame));
  const unwatch = replay.book.watch(send);
  socket.on('close', unwatch);
  socket.on('message', (raw) => {
    const frame = ClientFrame.parse(JSON.parse(String(raw)));
    replay.received.push(frame);
    for (const answer of replay.book.answer(frame)) send(answer);
  });
}

async function serve(book: ReplayJournals, webRoot: string | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://replay');
  const json = book.http(url);
  response.setHeader('content-security-policy', POLICY);
  if (json !== undefined) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(json));
  if (webRoot === undefined) return void response.writeHead(404).end();
  const name = extname(url.pathname) === '' ? 'index.html' : normalize(url.pathname).replace(/^\/+/, '');
  const body = await readFile(join(webRoot, name)).catch(() => undefined);
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(body);
}

function closeAll(http: Server, sockets: WebSocketServer): Promise<void> {
  terminateAll(sockets);
  sockets.close();
  http.closeAllConnections();
  return new Promise((resolve) => http.close(() => resolve()));
}

function terminateAll(sockets: WebSocketServer): void {
  for (const socket of sockets.clients) socket.terminate();
}
