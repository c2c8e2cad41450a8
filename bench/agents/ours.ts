import { randomUUID } from 'node:crypto';
import type { Event } from '../../src/protocol/event.ts';
import type { ServerFrame } from '../../src/protocol/frame.ts';
import type { CommandId, SessionId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api, type TestClient } from '../../test/support/client.ts';
import { LIMIT_MS, type Speaker } from './speaker.ts';
import type { Subject } from './subject.ts';

/** A session of the server, spoken to as the cockpit does: over its socket. */
export async function openOurs({ adapter, bench }: Subject, client: TestClient): Promise<Speaker> {
  const since = performance.now();
  const sessionId = (await api<Session>(bench.server, 'POST', '/api/sessions', { agent: adapter.id, cwd: bench.server.project })).body.id as SessionId;
  client.send({ type: 'subscribe', sessionId, after: 0 });
  await heard(client, sessionId, (event) => event.type === 'run.ready');
  const readyMs = performance.now() - since;
  return {
    readyMs,
    say: async (text) => {
      const commandId = randomUUID() as CommandId;
      const began = performance.now();
      client.send({ type: 'input', sessionId, commandId, text });
      await heard(client, sessionId, (event) => event.type === 'turn.completed' && event.commandId === commandId);
      return performance.now() - began;
    },
    close: async () => {
      await api(bench.server, 'POST', `/api/sessions/${sessionId}/stop`, {});
      await heard(client, sessionId, (event) => event.type === 'session.exited');
      client.send({ type: 'unsubscribe', sessionId });
    },
  };
}

const heard = (client: TestClient, sessionId: SessionId, fits: (event: Event) => boolean): Promise<ServerFrame> =>
  client.waitFor((frame) => {
    if (frame.type === 'snapshot') return frame.sessionId === sessionId && frame.events.some(fits);
    return frame.type === 'event' && frame.sessionId === sessionId && fits(frame.event);
  }, LIMIT_MS);
