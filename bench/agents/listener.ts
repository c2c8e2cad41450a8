import { WebSocket } from 'ws';
import type { Event } from '../../src/protocol/event.ts';
import { type ClientFrame, FRAME_REVISION } from '../../src/protocol/frame.ts';
import type { TestServer } from '../../test/support/real-server.ts';
import { createWait } from './wait.ts';

/** A cheap client: it parses each frame and looks at it once. */
export interface Listener {
  send(frame: ClientFrame): void;
  /** Resolves with the next matching event of this session; call it before that event can arrive. */
  next(sessionId: string, what: string, matches: (event: Event) => boolean): Promise<void>;
  close(): void;
}

/** The fields we read. Not parsed with a schema: the server's own tests do that. */
interface ReadFrame {
  readonly type: string;
  readonly sessionId?: string;
  readonly event?: Event;
  readonly events?: readonly Event[];
  readonly message?: string;
}

/** `who` names the agent in error messages. */
export async function openListener(server: TestServer, who: string): Promise<Listener> {
  const socket = new WebSocket(new URL('/ws', server.url.replace(/^http/, 'ws')), { headers: { authorization: `Bearer ${server.token}` } });
  const wait = createWait<ReadFrame>(`${who} behind the server`);
  socket.on('message', (bytes: Buffer) => {
    const frame = JSON.parse(bytes.toString('utf8')) as ReadFrame;
    wait.see(frame);
    if (frame.type === 'refused') wait.fail(`refused: ${frame.message}`);
  });
  socket.once('close', () => wait.fail('the connection is closed'));
  const send = (frame: ClientFrame): void => socket.send(JSON.stringify(frame));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const welcome = wait.next('welcome', ({ type }) => type === 'welcome');
  send({ type: 'hello', v: FRAME_REVISION });
  await welcome;
  return {
    send,
    next: (id, what, matches) => {
      const isNext = (event: Event): boolean => {
        const isMatch = matches(event);
        if (!isMatch && event.type === 'session.exited') wait.fail(`ended with ${event.code ?? event.signal}`);
        return isMatch;
      };
      return wait.next(what, ({ sessionId, event, events }) => sessionId === id && (events ?? (event ? [event] : [])).some(isNext));
    },
    close: () => socket.close(),
  };
}
