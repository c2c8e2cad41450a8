import { WebSocket } from 'ws';
import type { Event } from '../../src/protocol/event.ts';
import { type ClientFrame, FRAME_REVISION, ServerFrame } from '../../src/protocol/frame.ts';
import { PATIENCE_MS } from './patience.ts';

interface Address {
  readonly url: string;
  readonly token: string;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** Asks the HTTP API as a program would. */
export async function api<T = unknown>(server: Address, method: string, path: string, body?: unknown): Promise<Answer<T>> {
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: { authorization: `Bearer ${server.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}

export interface TestClient {
  /** Every frame that came, in order. */
  readonly frames: readonly ServerFrame[];
  send(frame: ClientFrame): void;
  /** The first frame, past or to come, that fits. */
  waitFor<F extends ServerFrame>(fits: (frame: ServerFrame) => frame is F, limitMs?: number): Promise<F>;
  waitFor(fits: (frame: ServerFrame) => boolean, limitMs?: number): Promise<ServerFrame>;
  /** Durable events of a session as this client has them: from snapshots and live, in order of arrival. */
  events(sessionId: string): readonly Event[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  close(): void;
}

/** A WebSocket client that greets and remembers all it hears. */
export async function connectClient(server: Address, headers: Readonly<Record<string, string>> = {}): Promise<TestClient> {
  const socket = new WebSocket(new URL('/ws', server.url.replace(/^http/, 'ws')), { headers: { authorization: `Bearer ${server.token}`, ...headers } });
  const frames: ServerFrame[] = [];
  const watchers = new Set<() => void>();
  socket.on('message', (bytes: Buffer) => {
    frames.push(ServerFrame.parse(JSON.parse(bytes.toString('utf8'))));
    for (const watcher of [...watchers]) watcher();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => socket.terminate());
  const send = (frame: ClientFrame) => socket.send(JSON.stringify(frame));
  const client: TestClient = {
    frames,
    send,
    waitFor: (fits: (frame: ServerFrame) => boolean, limitMs = PATIENCE_MS) => waitFor(frames, watchers, fits, limitMs) as Promise<never>,
    events: (sessionId) => frames.flatMap((frame) => eventsIn(frame, sessionId)),
    closed,
    close: () => socket.close(),
  };
  send({ type: 'hello', v: FRAME_REVISION });
  await client.waitFor((frame) => frame.type === 'welcome');
  return client;
}

/** What a frame tells of a session. */
export function eventsIn(frame: ServerFrame, sessionId: string): readonly Event[] {
  if (frame.type === 'snapshot' && frame.sessionId === sessionId) return frame.events;
  return frame.type === 'event' && frame.sessionId === sessionId ? [frame.event] : [];
}

function waitFor(frames: readonly ServerFrame[], watchers: Set<() => void>, fits: (frame: ServerFrame) => boolean, limitMs: number): Promise<ServerFrame> {
  return new Promise((resolve, reject) => {
    const heard = () => frames.slice(-20).map((frame) => ('event' in frame ? `event ${frame.event.type}` : frame.type));
    const timer = setTimeout(() => {
      watchers.delete(look);
      reject(new Error(`no such frame within ${limitMs} ms; the last ones: ${heard().join(', ')}`));
    }, limitMs);
    const look = () => {
      const found = frames.find(fits);
      if (!found) return;
      clearTimeout(timer);
      watchers.delete(look);
      resolve(found);
    };
    watchers.add(look);
    look();
  });
}
