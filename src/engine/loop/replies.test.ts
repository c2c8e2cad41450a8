import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { demo } from '../../agents/demo/index.ts';
import type { Adapter } from '../../agents/port/adapter.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** The demo agent with an adapter that replies with another input at the end of the first turn. */
const replying = {
  ...demo,
  translate: (state, line) => {
    const step = demo.translate(state, line);
    const isFirstEnd = line.includes('"type":"ended"') && !line.includes('"input":"again"');
    return isFirstEnd ? { ...step, replies: [JSON.stringify({ type: 'input', id: 'again', text: 'hello' })] } : step;
  },
} satisfies typeof demo as Adapter;

test('an adapter’s own reply reaches the agent even when nothing else is sent', async () => {
  const setup = await createEngine({ adapters: [replying] });
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: demo.id, cwd: setup.folder, options: {}, prompt: 'hello' });
  const turns = () => setup.events(sessionId).filter((event) => event.type === 'turn.completed').length;
  await waitFor('a second turn', () => turns() === 2);
  expect(turns()).toBe(2);
});
