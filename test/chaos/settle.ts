import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { markedBy, pidOf } from './processes.ts';
import type { Actor, Setup } from './setup.ts';
import { runsOf } from './situations.ts';

const REST_LIMIT_MS = 60_000;
const RESTING = new Set(['idle', 'ended', 'failed', 'sleeping']);

/** Answers what is asked until nothing runs and nothing waits any more; then no process may be left that the status does not tell of. */
export async function waitUntilSettled(setup: Setup, actor: Actor, behavior: 'allow' | 'deny'): Promise<Session> {
  const answered = new Set<string>();
  const deadline = performance.now() + REST_LIMIT_MS;
  for (;;) {
    const session = await setup.session(actor.id);
    const left = await whatIsLeft(setup, actor, session);
    if (left === undefined) return session;
    if (performance.now() > deadline) throw new Error(`${actor.agent} ${actor.id} does not come to rest: ${left}`);
    for (const requestId of await waitingIn(setup, actor.id)) {
      if (!answered.has(requestId)) setup.browser.answer(requestId, actor.id, behavior);
      answered.add(requestId);
    }
    await pause(30);
  }
}

/** The events of a session that was stopped, once it says that it has ended: its exit is reported after the stop request. */
export async function ended(setup: Setup, actor: Actor): Promise<readonly Event[]> {
  await waitFor(`the end of ${actor.agent} ${actor.id}`, async () => (await setup.session(actor.id)).status === 'ended', REST_LIMIT_MS);
  return setup.events(actor.id);
}

async function whatIsLeft(setup: Setup, actor: Actor, session: Session): Promise<string | undefined> {
  const { unsent } = setup.browser.cockpit.store.getState();
  const mine = unsent.filter((entry) => entry.sessionId === actor.id);
  if (mine.length > 0) return `the page still has ${mine.map((entry) => entry.commandId).join(', ')} to send`;
  if (!RESTING.has(session.status) || session.queue.length > 0) {
    return `it is ${session.status} (${session.statusCause.cause}) with ${session.queue.length} messages: ${JSON.stringify(session.queue)}`;
  }
  const runs = runsOf(await setup.events(actor.id));
  const live = session.status === 'idle' ? runs.at(-1) : undefined;
  // Without a feeder the agent has met the end of its input, and is about to end.
  const lacks = live && (['agent', 'feeder'] as const).find((part) => pidOf(setup.folderOf(actor.id, live), live, part) === undefined);
  if (lacks !== undefined) return `it is shown as idle and has no ${lacks}`;
  const orphans = markedBy(runs.filter((run) => run !== live));
  return orphans.length > 0
    ? `it is ${session.status}, and these live on: ${orphans.map(({ pid, run, command }) => `${pid} of ${run}: ${command}`).join('; ')}`
    : undefined;
}

async function waitingIn(setup: Setup, id: string): Promise<readonly string[]> {
  const answer = await api<{ permissions: { requestId: string }[] }>(setup.server, 'GET', `/api/permissions?session=${id}`);
  return answer.body.permissions.map(({ requestId }) => requestId);
}
