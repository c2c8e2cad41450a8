import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { MachineNow } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api, connectClient, eventsIn, type TestClient } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

// Longer than the interval between two checks for live agents (5 s): a check while the problem lasts must not end the agent.
const WORDS = 600;
const PACE_MS = '15';

let server: TestServer;
let client: TestClient;
let id: Session['id'];
beforeEach(async () => {
  server = await startServer();
  client = await connectClient(server);
  const body = { agent: 'demo', cwd: server.project, prompt: `long ${WORDS}`, env: { DEMO_AGENT_PACE_MS: PACE_MS } };
  id = (await api<Session>(server, 'POST', '/api/sessions', body)).body.id;
  client.send({ type: 'subscribe', sessionId: id });
  await client.waitFor((frame) => frame.type === 'delta');
});
afterEach(() => server.close());

test('[R300] a data folder that is missing for a moment ends neither server nor agent, is reported once, and loses nothing', async () => {
  const { pid } = server;
  const away = `${server.data}-away`;
  renameSync(server.data, away);
  await problemReported(/data.* is missing \(was it moved\?\)\. Signalbox can't .*check on running agents.*\. It keeps trying\.$/);
  const { problems } = (await api<MachineNow>(server, 'GET', '/api/machine')).body;
  expect(problems.map(({ text }) => text).join()).toContain('check on running agents');
  const commandId = `meanwhile-${id}`;
  await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'echo meanwhile', commandId });
  await moreIsPrinted();
  expect(existsSync(server.data)).toBe(false); // no second one was created
  renameSync(away, server.data);
  await noProblems();
  await answered(WORDS);
  expect((await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'echo meanwhile', commandId })).status).toBe(202);
  await completed(commandId);
  expectComplete(await journaled());
  expect((await api<{ pid: number }>(server, 'GET', '/api/about')).status).toBe(200);
  expect(server.pid).toBe(pid);
  expectUnique();
});

test('[R300] a server without file descriptors survives, reports it once, and recovers', async () => {
  const before = limitOf(server.pid);
  limit(server.pid, 3); // open files stay open, and no more can be opened
  await problemReported(/^The server has no file descriptors left \(raise its limit with "ulimit -n"\)\. Signalbox can't .*check on running agents/);
  await moreIsPrinted();
  limit(server.pid, before);
  await noProblems();
  await answered(WORDS);
  const commandId = `afterwards-${id}`;
  expect((await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'echo afterwards', commandId })).status).toBe(202);
  await completed(commandId);
  expectComplete(await journaled());
  expectUnique();
});

const problemReported = (words: RegExp) => client.waitFor((frame) => frame.type === 'problems' && frame.problems.some(({ text }) => words.test(text)), 15_000);

/** The agent keeps printing, and its output is still read. */
const moreIsPrinted = () => client.waitFor((frame) => frame.type === 'delta' && frame.offset > (WORDS * 6 * 3) / 4);

const noProblems = () =>
  waitFor('all problems to be resolved', () => client.frames.filter((frame) => frame.type === 'problems').at(-1)?.problems.length === 0, 30_000);

async function answered(words: number): Promise<void> {
  await client.waitFor((frame) => eventsIn(frame, id).some((event) => event.type === 'turn.completed'));
  const text = client.events(id).find((event) => event.type === 'assistant.text');
  expect(text?.text.split(/\s+/)).toHaveLength(words);
}

const completed = (commandId: string) =>
  client.waitFor((frame) => eventsIn(frame, id).some((event) => event.type === 'turn.completed' && event.commandId === commandId && !event.isError));

const journaled = async (): Promise<readonly Event[]> =>
  (await api<{ events: readonly Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`)).body.events;

/** The same process throughout, every seq once, and each message delivered once. */
function expectComplete(events: readonly Event[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === 'run.opened')).toHaveLength(1);
  expect(events.filter((event) => event.type === 'session.exited')).toEqual([]);
  const delivered = events.flatMap((event) => (event.type === 'input.delivered' ? [event.commandId] : []));
  expect(new Set(delivered).size).toBe(delivered.length);
}

/** The log has each failure once per reason, and each recovery once. */
function expectUnique(): void {
  const lines = server.log().split('\n');
  const failed = lines.flatMap((line) => /Signalbox can't .*? It keeps trying/.exec(line)?.[0] ?? []);
  const tasks = lines.flatMap((line) => /Signalbox can't (.*?): /.exec(line)?.[1] ?? []);
  const again = lines.flatMap((line) => /Signalbox can (.*) again\./.exec(line)?.[1] ?? []);
  expect(tasks).toContain('check on running agents');
  expect(failed).toEqual([...new Set(failed)]);
  expect([...again].sort()).toEqual([...new Set(tasks)].sort());
}

const limitOf = (pid: number): number => Number(execFileSync('prlimit', ['--pid', String(pid), '--nofile', '--output', 'SOFT', '--noheadings']).toString());
const limit = (pid: number, files: number): void => void execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`]);
