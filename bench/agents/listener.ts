import { WebSocket } from 'ws';
import type { Event } from '../../src/protocol/event.ts';
import { type ClientFrame, FRAME_REVISION } from '../../src/protocol/frame.ts';
import type { TestServer } from '../../test/support/real-server.ts';
import { createWait } from './wait.ts';

/** A client that costs little: it parses each frame and looks at it once. */
export interface Listener {
  send(frame: ClientFrame): void;
  /** The next event of this session that fits; asked for before it can come. */
  next(sessionId: string, what: string, fits: (event: Event) => boolean): Promise<void>;
  close(): void;
}

/** What of a frame is looked at. It comes from the server of this very repository, whose own tests parse it. */
interface Heard {
  readonly type: string;
  readonly sessionId?: string;
  readonly event?: Event;
  readonly events?: readonly Event[];
  readonly message?: string;
}

/** `who` is behind the server. */
export async function openListener(server: TestServer, who: string): Promise<Listener> {
  const socket = new WebSocket(new URL('/ws', server.url.replace(/^http/, 'ws')), { headers: { authorization: `Bearer ${server.token}` } });
  const wait = createWait<Heard>(`${who} behind the server`);
  socket.on('message', (bytes: Buffer) => {
    const heard = JSON.parse(bytes.toString('utf8')) as Heard;
    wait.see(heard);
    if (heard.type === 'refused') wait.fail(`refused: ${heard.message}`);
  });
  socket.once('close', () => wait.fail('the connection is closed'));
  const send = (frame: ClientFrame): void => socket.send(JSON.stringify(frame));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const welcome = wait.next('welcome', ({ type }) => type === 'welcome');
  send({ type: 'hello', v: FRAME_REVISION });
  await welcome;
  return {
    send,
    next: (id, what, fits) => {
      const isNews = (event: Event): boolean => {
        const isIt = fits(event);
        if (!isIt && event.type === 'session.exited') wait.fail(`ended with ${event.code ?? event.signal}`);
        return isIt;
      };
      return wait.next(what, ({ sessionId, event, events }) => sessionId === id && (events ?? (event ? [event] : [])).some(isNews));
    },
    close: () => socket.close(),
  };
}
