import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChangedFiles } from '../../src/domain/changes/fold.ts';
import { partsOf } from '../../src/domain/changes/review.ts';
import { fold } from '../../src/domain/session/evolve.ts';
import { newSessionState } from '../../src/domain/session/state.ts';
import { statusOf } from '../../src/domain/session/status.ts';
import type { SessionAt } from '../../src/protocol/api/moment.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { SessionId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { api } from '../support/client.ts';
import { proofCount } from '../support/proof-length.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';
import { waitFor } from '../support/wait-for.ts';

const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));

let server: TestServer;
let browser: Browser | undefined;
let id: SessionId;
let events: readonly Event[];

beforeAll(async () => {
  server = await startServer({ from: 'dist' });
  if ('path' in chromium && isBuilt) browser = await sharedChromium(chromium.path);
  id = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'write a file' })).body.id;
  await settle();
  // The third message waits while the second asks.
  for (const text of ['write another file', 'and one more word']) await api(server, 'POST', `/api/sessions/${id}/input`, { text });
  await settle();
  await waitFor('the last answer', async () => (await read()).filter(({ type }) => type === 'turn.completed').length >= 3);
  await waitFor('the last checkpoint', async () => (await read()).filter((event) => event.type === 'checkpoint.made' && event.when === 'after').length >= 3);
  events = await read();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const read = async (): Promise<readonly Event[]> =>
  (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`)).body.events;

/** Allows the next request. */
async function settle(): Promise<void> {
  const waiting = async () => (await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`)).body.permissions[0];
  const request = await waitFor('a request', waiting);
  expect((await api(server, 'POST', `/api/permissions/${encodeURIComponent(request.requestId)}`, { behavior: 'allow' })).status).toBe(200);
}

const at = async (seq: number): Promise<SessionAt> => {
  const answer = await api<SessionAt>(server, 'GET', `/api/sessions/${id}/at/${seq}`);
  expect([seq, answer.status]).toEqual([seq, 200]);
  return answer.body;
};

/** The same, folded from the first event on. */
function freshly(seq: number) {
  const past = events.filter((event) => event.seq <= seq);
  const state = fold(newSessionState(id), past);
  const changed = new ChangedFiles(server.project, () => undefined);
  for (const event of past) changed.add(event);
  const parts = [...changed.files().values()].flatMap((edits) => partsOf(edits));
  const checkpoint = past.findLast((event) => event.type === 'checkpoint.made');
  return {
    status: statusOf(state),
    cost: state.costUsd ?? undefined,
    context: state.contextTokens === null || state.contextWindow === null ? undefined : { tokens: state.contextTokens, window: state.contextWindow },
    requests: state.permissions.map(({ requestId }) => requestId),
    queue: state.queue.map(({ commandId, stage }) => [commandId, stage.at]),
    changes: [changed.files().size, parts.reduce((sum, part) => sum + part.additions, 0)],
    checkpoint: checkpoint?.seq,
  };
}

test('[R483] a session at any event is what a fresh fold of its events up to there is, in any order of asking', async () => {
  const random = seeded(7);
  const seqs = Array.from({ length: proofCount(40) }, () => 1 + Math.floor(random() * events.length));
  const seen = new Set<string>();
  for (const seq of seqs) {
    const moment = await at(seq);
    seen.add(`${moment.status} ${moment.requests.length} ${moment.queue.length} ${moment.changes.files}`);
    expect([
      seq,
      {
        status: moment.status,
        cost: moment.costUsd,
        context: moment.context,
        requests: moment.requests.map(({ requestId }) => requestId),
        queue: moment.queue.map(({ commandId, state }) => [commandId, state]),
        changes: [moment.changes.files, moment.changes.additions],
      },
    ]).toEqual([seq, (({ checkpoint: _, ...rest }) => rest)(freshly(seq))]);
    // A message leads to the checkpoint before it, which may be stored after it.
    if (events[seq - 1]?.type !== 'user.message' && events[seq - 1]?.type !== 'input.accepted')
      expect([seq, moment.checkpoint?.seq]).toEqual([seq, freshly(seq).checkpoint]);
  }
  expect(seen.size).toBeGreaterThan(5);
  expect((await api(server, 'GET', `/api/sessions/${id}/at/${events.length + 1000}`)).status).toBe(404);
  expect((await api(server, 'GET', `/api/sessions/${id}/at/0`)).status).toBe(400);
});

for (const [name, size] of [
  ['at 1440 px', DESKTOP],
  ['on a phone', PHONE],
] as const) {
  test(`[R483] the slider goes back to an event by mouse and by key, and forks there, ${name}`, async ({ skip }) => {
    if (browser === undefined) return skip('there is no Chromium or no built page');
    const { page, open } = await signInWithoutPage(browser, server, size);
    await open(`/s/${id}/timeline`);
    const slider = page.getByRole('slider', { name: 'Go back to' });
    const asked = events.find(({ type }) => type === 'permission.requested');
    await slider.fill(String(asked?.seq));
    const machine = page.getByRole('region', { name: 'Time machine' });
    await machine.getByText(/waiting .*1 request open/).waitFor();
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await machine.getByRole('link', { name: `Event ${(asked?.seq ?? 0) - 1}` }).waitFor();
    const answered = events.find(({ type }) => type === 'turn.completed');
    await slider.fill(String(answered?.seq));
    await machine.getByText(/1 file changed/).waitFor();
    if (process.env.PICTURES !== undefined) await page.screenshot({ path: `${process.env.PICTURES}/time-${size.width}.png` });
    await machine.getByRole('button', { name: 'Fork from here' }).click();
    await expect.poll(() => page.url().includes(id)).toBe(false);
    const forkId = /\/s\/([^/#?]+)/.exec(page.url())?.[1];
    const { body: fork } = await api<Session>(server, 'GET', `/api/sessions/${forkId}`);
    expect(fork.parent?.sessionId).toBe(id);
    await page.context().close();
  });
}
