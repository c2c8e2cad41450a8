import { expect, test } from 'vitest';
import { createEngine } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';

const ID = 's1' as SessionId;

test('[R45] a message sent while a stopped agent is still exiting is answered by the next run', async () => {
  const setup = await createEngine();
  await setup.do({ type: 'session.create', sessionId: ID, agent: 'demo' as AgentId, cwd: setup.folder, options: {}, prompt: 'hello' });
  await setup.event(ID, 'turn.completed');
  const pid = await waitFor('the pid', () => setup.engine.session(ID)?.pid);
  process.kill(pid, 'SIGSTOP'); // So that it can’t exit before the message is accepted.
  await setup.do({ type: 'session.stop', sessionId: ID });
  const sent = await setup.do({ type: 'input.send', sessionId: ID, text: 'think' });
  process.kill(pid, 'SIGCONT');
  const exited = await setup.event(ID, 'session.exited');
  expect(exited).toMatchObject({ reason: 'stop' });
  expect(sent.seq).toBeLessThan(exited.seq);
  const done = await setup.event(ID, 'turn.completed', (event) => event.seq > exited.seq);
  expect(done).toMatchObject({ commandId: sent.commandId, interrupted: false });
  expect(setup.engine.session(ID)).toMatchObject({ status: 'idle', queue: [] });
});
