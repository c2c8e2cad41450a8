import { WebSocket } from 'ws';
import type { Event } from '../../src/protocol/event.ts';
import { type ClientFrame, FRAME_REVISION } from '../../src/protocol/frame.ts';
import type { TestServer } from '../../test/support/server.ts';
import { LIMIT_MS } from './speaker.ts';

/** A client that costs little: it parses each frame and looks at it once. */
export interface Listener {
  send(frame: ClientFrame): void;
  /** The next event of this session that fits; asked for before it can come. */
  next(sessionId: string, fits: (event: Event) => boolean): Promise<void>;
  close(): void;
}

/** What of a frame is looked at. It comes from the server of this very repository, whose own tests parse it. */
interface Heard {
  readonly type: string;
  readonly sessionId?: string;
  readonly event?: Event;
  readonly events?: readonly Event[];
}

export async function openListener(server: TestServer): Promise<Listener> {
  const socket = new WebSocket(new URL('/ws', server.url.replace(/^http/, 'ws')), { headers: { authorization: `Bearer ${server.token}` } });
  let waiting: ((heard: Heard) => void) | undefined;
  socket.on('message', (bytes: Buffer) => waiting?.(JSON.parse(bytes.toString('utf8')) as Heard));
  const send = (frame: ClientFrame): void => socket.send(JSON.stringify(frame));
  const hear = (what: string, isIt: (heard: Heard) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${what} within ${LIMIT_MS} ms`)), LIMIT_MS);
      waiting = (heard) => {
        if (!isIt(heard)) return;
        clearTimeout(timer);
        waiting = undefined;
        resolve();
      };
    });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const welcome = hear('welcome', ({ type }) => type === 'welcome');
  send({ type: 'hello', v: FRAME_REVISION });
  await welcome;
  return {
    send,
    next: (id, fits) => hear(`event of ${id}`, ({ sessionId, event, events }) => sessionId === id && (events ?? (event ? [event] : [])).some(fits)),
    close: () => socket.close(),
  };
}
