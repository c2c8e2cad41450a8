import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Adapter } from '../../agents/adapter.ts';
import { demo } from '../../agents/demo/index.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** The demo agent, which is asked once more as soon as it has done what a person asked. */
const eager = {
  ...demo,
  translate: (state, line) => {
    const step = demo.translate(state, line);
    const isFirstEnd = line.includes('"type":"ended"') && !line.includes('"input":"again"');
    return isFirstEnd ? { ...step, replies: [JSON.stringify({ type: 'input', id: 'again', text: 'hello' })] } : step;
  },
} satisfies typeof demo as Adapter;

test('what an adapter answers by itself reaches the agent, also when nothing else is said to it', async () => {
  const setup = await createEngine({ adapters: [eager] });
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: demo.id, cwd: setup.folder, options: {}, prompt: 'hello' });
  const turns = () => setup.events(sessionId).filter((event) => event.type === 'turn.completed').length;
  await waitFor('a second turn', () => turns() === 2);
  expect(turns()).toBe(2);
});
