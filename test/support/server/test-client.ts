import { once } from 'node:events';
import WebSocket, { type ClientOptions } from 'ws';
import type { ServerFrame } from '../../../src/protocol/frame.ts';

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

/** A real WebSocket client that remembers every frame and can wait for one. */
export interface TestClient {
  readonly socket: WebSocket;
  /** Everything received so far, in order. */
  readonly frames: readonly ServerFrame[];
  send(frame: unknown): void;
  /** The next frame of this type that no call has returned yet. */
  next<T extends ServerFrame['type']>(type: T): Promise<FrameOf<T>>;
  /** Resolves when a frame, received already or later, matches. */
  until(matches: (frame: ServerFrame) => boolean): Promise<ServerFrame>;
  /** Stops and resumes reading from the network. */
  pause(): void;
  resume(): void;
  closed(): Promise<{ readonly code: number; readonly reason: string }>;
  cut(): void;
}

export async function connect(url: string, options: ClientOptions = {}): Promise<TestClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  const frames: ServerFrame[] = [];
  const waiting = new Set<() => void>();
  const seen = new Map<string, number>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })));
  socket.on('message', (bytes) => {
    frames.push(JSON.parse(bytes.toString()));
    for (const check of [...waiting]) check();
  });
  socket.on('error', () => {});
  await Promise.race([once(socket, 'open'), refusedUpgrade(socket)]);
  const until = (matches: (frame: ServerFrame) => boolean): Promise<ServerFrame> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = frames.find(matches);
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  return {
    socket,
    frames,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    until,
    next: async (type) => {
      const index = seen.get(type) ?? 0;
      seen.set(type, index + 1);
      const ofType = () => frames.filter((frame) => frame.type === type);
      await until(() => ofType().length > index);
      return ofType()[index] as FrameOf<typeof type>;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    closed: () => closed,
    cut: () => socket.terminate(),
  };
}

export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  constructor(readonly status: number) {
    super(`The server answered ${status} instead of opening a socket`);
  }
}

const refusedUpgrade = (socket: WebSocket): Promise<never> =>
  new Promise((_resolve, reject) => {
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      reject(new UpgradeRefused(response.statusCode ?? 0));
    });
  });
