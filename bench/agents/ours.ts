import { randomUUID } from 'node:crypto';
import type { CommandId, SessionId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../../test/support/client.ts';
import type { Listener } from './listener.ts';
import type { Speaker } from './speaker.ts';
import type { Subject } from './subject.ts';

/** A session of the server, spoken to as the cockpit does: over its socket. */
export async function openOurs({ adapter, bench }: Subject, listener: Listener): Promise<Speaker> {
  const since = performance.now();
  const sessionId = (await api<Session>(bench.server, 'POST', '/api/sessions', { agent: adapter.id, cwd: bench.server.project })).body.id as SessionId;
  const isReady = listener.next(sessionId, (event) => event.type === 'run.ready');
  listener.send({ type: 'subscribe', sessionId, after: 0 });
  await isReady;
  const readyMs = performance.now() - since;
  return {
    readyMs,
    say: async (text) => {
      const commandId = randomUUID() as CommandId;
      const isOver = listener.next(sessionId, (event) => event.type === 'turn.completed' && event.commandId === commandId);
      const began = performance.now();
      listener.send({ type: 'input', sessionId, commandId, text });
      await isOver;
      return performance.now() - began;
    },
    close: async () => {
      const isGone = listener.next(sessionId, (event) => event.type === 'session.exited');
      await api(bench.server, 'POST', `/api/sessions/${sessionId}/stop`, {});
      await isGone;
      listener.send({ type: 'unsubscribe', sessionId });
    },
  };
}
