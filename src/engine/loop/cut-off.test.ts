import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { CONTINUE_TEXT, continueId } from '../../domain/session/cut-off.ts';
import { AgentId, type SessionId } from '../../protocol/ids.ts';

test('[R369] a turn whose agent died while no server was running is reported, and continues once, however often somebody asks', async () => {
  const setup = await createEngine();
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: AgentId.parse('demo'), cwd: setup.folder, options: {}, prompt: 'wait' });
  await setup.event(sessionId, 'input.consumed');
  const pid = await waitFor('its pid', () => setup.engine.session(sessionId)?.pid);
  await setup.close();
  process.kill(pid, 'SIGKILL');
  await setup.reopen();
  const cutOff = await waitFor('the interrupted turn', () => setup.engine.session(sessionId)?.cutOff);
  expect((await setup.event(sessionId, 'session.exited')).foundAtStart).toBe(true);
  const commandId = continueId(sessionId, cutOff.seq);
  for (let again = 0; again < 2; again += 1) await setup.do({ type: 'input.send', sessionId, commandId, text: CONTINUE_TEXT });
  await setup.event(sessionId, 'input.consumed', (event) => event.commandId === commandId);
  expect(setup.events(sessionId).filter((event) => event.type === 'input.accepted' && event.commandId === commandId)).toHaveLength(1);
  expect(setup.engine.session(sessionId)?.cutOff).toBeUndefined();
});
