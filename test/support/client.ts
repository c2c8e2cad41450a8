import { WebSocket } from 'ws';
import type { Event } from '../../src/protocol/event.ts';
import { type ClientFrame, FRAME_REVISION, ServerFrame } from '../../src/protocol/frame.ts';
import { WAIT_LIMIT_MS } from './wait-limit.ts';

interface Address {
  readonly url: string;
  readonly token: string;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** Calls the HTTP API as a program would. */
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
  /** Every received frame, in order. */
  readonly frames: readonly ServerFrame[];
  send(frame: ClientFrame): void;
  /** The first frame that matches, among those already received and those still to come. */
  waitFor<F extends ServerFrame>(matches: (frame: ServerFrame) => frame is F, limitMs?: number): Promise<F>;
  waitFor(matches: (frame: ServerFrame) => boolean, limitMs?: number): Promise<ServerFrame>;
  /** The durable events of a session that this client received, from snapshots and live, in order of arrival. */
  events(sessionId: string): readonly Event[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  close(): void;
}

/** A WebSocket client that says hello and records every frame. */
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
    waitFor: (matches: (frame: ServerFrame) => boolean, limitMs = WAIT_LIMIT_MS) => waitFor(frames, watchers, matches, limitMs) as Promise<never>,
    events: (sessionId) => frames.flatMap((frame) => eventsIn(frame, sessionId)),
    closed,
    close: () => socket.close(),
  };
  send({ type: 'hello', v: FRAME_REVISION });
  await client.waitFor((frame) => frame.type === 'welcome');
  return client;
}

/** A session's events in a frame. */
export function eventsIn(frame: ServerFrame, sessionId: string): readonly Event[] {
  if (frame.type === 'snapshot' && frame.sessionId === sessionId) return frame.events;
  return frame.type === 'event' && frame.sessionId === sessionId ? [frame.event] : [];
}

function waitFor(frames: readonly ServerFrame[], watchers: Set<() => void>, matches: (frame: ServerFrame) => boolean, limitMs: number): Promise<ServerFrame> {
  return new Promise((resolve, reject) => {
    const lastTypes = () => frames.slice(-20).map((frame) => ('event' in frame ? `event ${frame.event.type}` : frame.type));
    const timer = setTimeout(() => {
      watchers.delete(check);
      reject(new Error(`no matching frame within ${limitMs} ms; the last ones: ${lastTypes().join(', ')}`));
    }, limitMs);
    const check = () => {
      const found = frames.find(matches);
      if (!found) return;
      clearTimeout(timer);
      watchers.delete(check);
      resolve(found);
    };
    watchers.add(check);
    check();
  });
}
