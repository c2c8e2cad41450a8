import { expect, test } from 'vitest';
import { createEngine } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';

const ID = 's1' as SessionId;

test('[R45] a message sent while a stopped agent still lives is answered by the next one', async () => {
  const bench = await createEngine();
  await bench.do({ type: 'session.create', sessionId: ID, agent: 'demo' as AgentId, cwd: bench.folder, options: {}, prompt: 'hello' });
  await bench.event(ID, 'turn.completed');
  const pid = await waitFor('its pid', () => bench.engine.session(ID)?.pid);
  process.kill(pid, 'SIGSTOP'); // it cannot exit before the message is accepted
  await bench.do({ type: 'session.stop', sessionId: ID });
  const sent = await bench.do({ type: 'input.send', sessionId: ID, text: 'think' });
  process.kill(pid, 'SIGCONT');
  const exited = await bench.event(ID, 'session.exited');
  expect(exited).toMatchObject({ reason: 'stop' });
  expect(sent.seq).toBeLessThan(exited.seq);
  const done = await bench.event(ID, 'turn.completed', (event) => event.seq > exited.seq);
  expect(done).toMatchObject({ commandId: sent.commandId, interrupted: false });
  expect(bench.engine.session(ID)).toMatchObject({ status: 'idle', queue: [] });
});
