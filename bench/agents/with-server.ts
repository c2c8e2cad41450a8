import { randomUUID } from 'node:crypto';
import type { CommandId, SessionId } from '../../src/protocol/ids.ts';
import { order } from '../../test/support/live-suite/exchange.ts';
import type { LiveSetup } from '../../test/support/live-suite/live-setup.ts';
import type { Listener } from './listener.ts';
import type { TestAgent } from './test-agent.ts';

interface OurAgent extends TestAgent {
  readonly id: SessionId;
}

/** A session of the server, used over its socket, as the page does. */
export async function openOurs({ bench }: { readonly bench: LiveSetup }, listener: Listener): Promise<OurAgent> {
  const since = performance.now();
  const sessionId = (await bench.create()).id as SessionId;
  const isReady = listener.next(sessionId, 'ready message', (event) => event.type === 'run.ready');
  listener.send({ type: 'subscribe', sessionId, after: 0 });
  await isReady;
  return {
    id: sessionId,
    readyMs: performance.now() - since,
    prompt: async (text) => {
      const commandId = randomUUID() as CommandId;
      const ended = listener.next(sessionId, 'end of the turn', (event) => event.type === 'turn.completed' && event.commandId === commandId);
      const startedAt = performance.now();
      listener.send({ type: 'input', sessionId, commandId, text });
      await ended;
      return performance.now() - startedAt;
    },
    close: async () => {
      const exited = listener.next(sessionId, 'end of the session', (event) => event.type === 'session.exited');
      exited.catch(() => undefined); // if the stop request fails, nobody awaits this promise
      await order(bench, sessionId, 'stop');
      await exited;
      listener.send({ type: 'unsubscribe', sessionId });
    },
  };
}
