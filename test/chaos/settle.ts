import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { markedBy, pidOf } from './processes.ts';
import type { Actor, Setup } from './setup.ts';
import { runsOf } from './situations.ts';

const SETTLE_LIMIT_MS = 60_000;
const SETTLED = new Set(['idle', 'ended', 'failed', 'sleeping']);

/** Answers requests until nothing runs and nothing is pending; then no process may be left that the status doesn't account for. */
export async function waitUntilSettled(setup: Setup, actor: Actor, behavior: 'allow' | 'deny'): Promise<Session> {
  const answered = new Set<string>();
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const session = await setup.session(actor.id);
    const left = await whatIsLeft(setup, actor, session);
    if (left === undefined) return session;
    if (performance.now() > deadline) throw new Error(`${actor.agent} ${actor.id} does not settle: ${left}`);
    // An interrupt that arrived with messages queued pauses the queue.
    if (session.queuePaused) await api(setup.server, 'POST', `/api/sessions/${actor.id}/queue/resume`, {});
    for (const requestId of await pendingIn(setup, actor.id)) {
      if (!answered.has(requestId)) setup.browser.answer(requestId, actor.id, behavior);
      answered.add(requestId);
    }
    await pause(30);
  }
}

/** The events of a session that was stopped, once it says that it has ended: its exit is reported after the stop request. */
export async function ended(setup: Setup, actor: Actor): Promise<readonly Event[]> {
  await waitFor(`the end of ${actor.agent} ${actor.id}`, async () => (await setup.session(actor.id)).status === 'ended', SETTLE_LIMIT_MS);
  return setup.events(actor.id);
}

async function whatIsLeft(setup: Setup, actor: Actor, session: Session): Promise<string | undefined> {
  const { unsent } = setup.browser.cockpit.store.getState();
  const mine = unsent.filter((entry) => entry.sessionId === actor.id);
  if (mine.length > 0) return `the page still has ${mine.map((entry) => entry.commandId).join(', ')} to send`;
  if (!SETTLED.has(session.status) || session.queue.length > 0) {
    return `it is ${session.status} (${session.statusCause.cause}) with ${session.queue.length} messages: ${JSON.stringify(session.queue)}`;
  }
  const runs = runsOf(await setup.events(actor.id));
  const live = session.status === 'idle' ? runs.at(-1) : undefined;
  // Without a feeder the agent reached the end of its input and is about to exit.
  const missing = live && (['agent', 'feeder'] as const).find((part) => pidOf(setup.folderOf(actor.id, live), live, part) === undefined);
  if (missing !== undefined) return `it is shown as idle but has no ${missing}`;
  const orphans = markedBy(runs.filter((run) => run !== live));
  return orphans.length > 0
    ? `it is ${session.status}, but these processes are still alive: ${orphans.map(({ pid, run, command }) => `${pid} of ${run}: ${command}`).join('; ')}`
    : undefined;
}

async function pendingIn(setup: Setup, id: string): Promise<readonly string[]> {
  const answer = await api<{ permissions: { requestId: string }[] }>(setup.server, 'GET', `/api/permissions?session=${id}`);
  return answer.body.permissions.map(({ requestId }) => requestId);
}
