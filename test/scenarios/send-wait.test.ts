import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { createTerminal } from '../support/cli-terminal.ts';
import { api } from '../support/client.ts';
import { proofCount } from '../support/proof-length.ts';
import { commandLine, startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const newSession = async (): Promise<Session> => (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project })).body;
const events = async (id: string): Promise<readonly Event[]> =>
  (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`)).body.events;

interface Result {
  readonly code: number | null;
  readonly out: string;
}

/** A shell of its own. */
function signalbox(...argv: readonly string[]): Promise<Result> {
  const env = { PATH: process.env.PATH ?? '', HOME: server.home, SIGNALBOX_DATA: server.data };
  const child = spawn(process.execPath, [...commandLine(), ...argv], { env, cwd: server.project, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out })));
}

/** The same command without a process of its own. */
async function inProcess(...argv: readonly string[]): Promise<Result> {
  const terminal = createTerminal({ dataDir: server.data });
  return { code: await runCli(argv, terminal.deps), out: terminal.out() };
}

const SENDERS = 50;
/** Shells with a process of their own, in addition. */
const SHELLS = proofCount(2);
const KILLS = 3;

test(`[R571] ${SENDERS} times send --wait at once, with the server killed in the middle: every message once, each with its own answer`, async () => {
  const seed = 11;
  const random = seeded(seed);
  const { id } = await newSession();
  const senders = Array.from({ length: SENDERS + SHELLS }, (_, at) => {
    const send = at < SENDERS ? inProcess : signalbox;
    return send('send', id, `echo answer ${at}`, '--wait', '--id', `c${at}`);
  });
  const accepted = async (): Promise<number> => (await events(id)).filter(({ type }) => type === 'input.accepted').length;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const least = Math.floor(random() * SENDERS);
    await expect.poll(() => accepted(), { timeout: 120_000 }).toBeGreaterThanOrEqual(least);
    await server.restart();
  }
  const results = await Promise.all(senders);
  expect(results, `seed ${seed}`).toEqual(results.map((_, at) => ({ code: 0, out: `answer ${at}\n` })));
  const said = (await events(id)).flatMap((event) => (event.type === 'user.message' ? [event.text] : []));
  expect(said.toSorted()).toEqual(results.map((_, at) => `echo answer ${at}`).toSorted());
});

test('[R572] in a script: three sessions, waits and answers by exit code, and forks with the conversation', async () => {
  const sessions = [await newSession(), await newSession(), await newSession()];
  for (const [at, { id }] of sessions.entries()) expect(await inProcess('send', id, at === 1 ? 'run date' : `echo ${at}`)).toMatchObject({ code: 0 });
  const ids = sessions.map(({ id }) => id);
  expect((await inProcess('wait', ...ids)).code).toBe(3);
  const [first, second] = ids;
  const { out: request } = await inProcess('wait', second ?? '', '--for', 'permission', '--json');
  expect((await inProcess('answer', JSON.parse(request).requests[0], '--allow')).code).toBe(0);
  expect((await inProcess('wait', ...ids)).code).toBe(0);
  const { out: copy } = await inProcess('fork', first ?? '');
  expect(await inProcess('send', copy.trim(), 'remember', '--wait')).toMatchObject({ code: 0, out: expect.stringContaining('echo 0') });
  expect(await inProcess('send', first ?? '', 'crash', '--wait')).toMatchObject({ code: 1 });
  expect(await inProcess('stop', first ?? '')).toMatchObject({ code: 0 });
});
