import { randomUUID } from 'node:crypto';
import type { CommandId, SessionId } from '../../src/protocol/ids.ts';
import { order } from '../../test/support/live-suite/exchange.ts';
import type { LiveSetup } from '../../test/support/live-suite/live-setup.ts';
import type { Listener } from './listener.ts';
import type { Speaker } from './speaker.ts';

interface OurSpeaker extends Speaker {
  readonly id: SessionId;
}

/** A session of the server, spoken to as the cockpit does: over its socket. */
export async function openOurs({ bench }: { readonly bench: LiveSetup }, listener: Listener): Promise<OurSpeaker> {
  const since = performance.now();
  const sessionId = (await bench.create()).id as SessionId;
  const isReady = listener.next(sessionId, 'word that it is ready', (event) => event.type === 'run.ready');
  listener.send({ type: 'subscribe', sessionId, after: 0 });
  await isReady;
  return {
    id: sessionId,
    readyMs: performance.now() - since,
    say: async (text) => {
      const commandId = randomUUID() as CommandId;
      const isOver = listener.next(sessionId, 'end of the turn', (event) => event.type === 'turn.completed' && event.commandId === commandId);
      const began = performance.now();
      listener.send({ type: 'input', sessionId, commandId, text });
      await isOver;
      return performance.now() - began;
    },
    close: async () => {
      const isGone = listener.next(sessionId, 'end of the session', (event) => event.type === 'session.exited');
      isGone.catch(() => undefined); // where the order fails, nobody comes to hear of it
      await order(bench, sessionId, 'stop');
      await isGone;
      listener.send({ type: 'unsubscribe', sessionId });
    },
  };
}
