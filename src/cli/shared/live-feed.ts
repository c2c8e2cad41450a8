import WebSocket from 'ws';
import * as z from 'zod/mini';
import { type ClientFrame, FRAME_REVISION, ServerFrame } from '../../protocol/frame.ts';
import { TERMINAL } from './api.ts';
import { CliProblem, EXIT } from './command.ts';
import { AWAY_MS, RETRY_MS } from './server-link.ts';

/** The server pings every 20 s. A socket that is silent for longer is dead, whatever the system says. */
const SILENCE_MS = 50_000;

export interface LiveFeed {
  send(frame: ClientFrame): void;
  /** Rejects when the server doesn't come back or refuses the connection. */
  readonly failed: Promise<never>;
  close(): void;
}

interface FeedOptions {
  /** Read again at every try: a restarted server can have another port. */
  readonly address: () => { readonly url: string; readonly token: string };
  readonly sessionId: string;
  /** Continue after this event; without it, the feed begins with the last window. */
  readonly after?: number;
  readonly onFrame: (frame: ServerFrame, text: string) => void;
}

/** Follows one session and reconnects by itself, continuing after the last event it received. */
export function followSession({ address, sessionId, after = 0, onFrame }: FeedOptions): LiveFeed {
  const state: FeedState = { socket: undefined, lastSeq: after, lostSince: undefined, isClosed: false, unsent: [] };
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const open = (): void => {
    if (state.isClosed) return;
    const { url, token } = address();
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers: { authorization: `Bearer ${token}`, ...TERMINAL }, perMessageDeflate: false });
    state.socket = socket;
    const heard = endWhenSilent(socket);
    socket.on('open', () => sendHello(state, socket, sessionId));
    socket.on('message', (bytes) => receive(state, socket, bytes.toString(), sessionId, onFrame));
    for (const sign of ['open', 'message', 'ping'] as const) socket.on(sign, heard);
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      if (statusCode === 401 || statusCode === 403) fail(new CliProblem('The server refuses this token.', { exit: EXIT.refused }));
      socket.terminate();
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      if (code >= 4400 && code < 4405) fail(new CliProblem(reason.toString(), { exit: code === 4400 ? EXIT.failed : EXIT.refused }));
      else retry(state, reopen, fail);
    });
  };
  const reopen = (): void => attempt(open, () => retry(state, reopen, fail));
  reopen();
  return {
    failed,
    send: (frame) => (state.socket?.readyState === WebSocket.OPEN ? state.socket.send(JSON.stringify(frame)) : state.unsent.push(frame)),
    close: () => {
      state.isClosed = true;
      state.socket?.terminate();
    },
  };
}

interface FeedState {
  socket: WebSocket | undefined;
  lastSeq: number;
  lostSince: number | undefined;
  isClosed: boolean;
  /** Frames to send once connected. */
  readonly unsent: ClientFrame[];
}

function sendHello(state: FeedState, socket: WebSocket, sessionId: string): void {
  state.lostSince = undefined;
  const after = state.lastSeq > 0 ? { after: state.lastSeq } : {};
  for (const frame of [{ type: 'hello', v: FRAME_REVISION }, { type: 'subscribe', sessionId, ...after }, ...state.unsent.splice(0)])
    socket.send(JSON.stringify(frame));
}

function receive(state: FeedState, socket: WebSocket, text: string, sessionId: string, onFrame: FeedOptions['onFrame']) {
  const parsed = z.safeParse(ServerFrame, JSON.parse(text));
  // A newer server can send frames this version doesn't know: skip them.
  if (!parsed.success) return;
  const frame = parsed.data;
  if (frame.type === 'resubscribe') return socket.send(JSON.stringify({ type: 'subscribe', sessionId, after: state.lastSeq }));
  if (frame.type === 'event' || frame.type === 'snapshot') state.lastSeq = Math.max(state.lastSeq, frame.seq);
  onFrame(frame, text);
}

/** Returns what to call whenever the peer shows that it is there. */
function endWhenSilent(socket: WebSocket): () => void {
  let timer: NodeJS.Timeout | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.terminate(), SILENCE_MS);
    timer.unref();
  };
  socket.on('close', () => clearTimeout(timer));
  heard();
  return heard;
}

function retry(state: FeedState, open: () => void, fail: (error: Error) => void) {
  state.lostSince ??= Date.now();
  if (state.isClosed) return;
  if (Date.now() - state.lostSince > AWAY_MS) return fail(new CliProblem('Lost the connection to the server. The session keeps running: see signalbox ls'));
  setTimeout(open, RETRY_MS);
}

function attempt(work: () => void, otherwise: () => void): void {
  try {
    work();
  } catch {
    otherwise();
  }
}
