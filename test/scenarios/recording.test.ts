import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/server/main.js');
/** Made up. */
const PASSWORD = 'correcthorse7battery';
const KEY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

describe('recordings, with Claude Code 2.1.197', () => {
  let opened: LiveSetup | { readonly skip: string };
  beforeAll(async () => {
    opened = await startClaudeSetup('2.1.197');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });

  const exported = async (setup: LiveSetup, id: string, token: string, more = ''): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${setup.server.url}/api/sessions/${id}/export?format=recording${more}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, text: await answer.text() };
  };

  /** `signalbox replay` as a person would run it. */
  async function replayed(setup: LiveSetup, text: string): Promise<{ code: number; events: readonly { type: string }[]; errors: string }> {
    const file = join(setup.server.project, 'recording.ndjson');
    writeFileSync(file, text);
    const run = promisify(execFile)(process.execPath, [MAIN, 'replay', file], {
      env: { PATH: process.env.PATH, HOME: setup.server.project },
      maxBuffer: 1 << 26,
    });
    const {
      stdout,
      stderr,
      code = 0,
    } = await run.then(
      (done) => ({ ...done, code: 0 }),
      (error: { stdout: string; stderr: string; code: number }) => error,
    );
    const events = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { code, events, errors: stderr };
  }

  test('[R484] [R485] a recording has both directions byte by byte and replays to the same events, without secrets unless an owner asks for them', async ({
    skip,
  }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    writeFileSync(join(setup.server.project, 'notes.txt'), 'alpha\n');
    const { id } = await setup.create(`@BASH echo $DB_PASSWORD ${KEY}`, { env: { DB_PASSWORD: PASSWORD } });
    const shown = await setup.event(id, 'permission.requested');
    expect(await setup.answer(shown.requestId, 'allow')).toBe(200);
    const first = await setup.event(id, 'turn.completed');
    await setup.send(id, '@EDIT notes.txt alpha => beta');
    const asked = await setup.event(id, 'permission.requested', () => true, first.seq);
    expect(await setup.answer(asked.requestId, 'allow')).toBe(200);
    const second = await setup.event(id, 'turn.completed', () => true, first.seq);
    await setup.killAgent(id);
    await setup.event(id, 'session.exited', () => true, second.seq);
    await setup.send(id, '@BASH echo again');
    await setup.event(id, 'turn.completed', () => true, second.seq);
    const events = await setup.events(id);
    expect(JSON.stringify(events)).toContain(PASSWORD);

    const { text } = await exported(setup, id, setup.server.token);
    expect([text.includes(PASSWORD), text.includes(KEY)]).toEqual([false, false]);
    expect(text).toContain('ghp_xxxxxxxxxxxxxxxxxxxxxxxxxx0000000000');
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const sides = new Set(lines.flatMap(({ line }) => (line === undefined ? [] : [line.side])));
    expect([...sides]).toEqual(expect.arrayContaining(['in', 'out']));
    const again = await replayed(setup, text);
    expect([again.errors, again.code]).toEqual([expect.stringMatching(/^\d+ events, the same as recorded\.\n$/), 0]);
    expect(again.events.map(({ type }) => type)).toEqual(lines.flatMap(({ event }) => (event === undefined ? [] : [event.type])));

    const whole = await exported(setup, id, setup.server.token, '&unscrubbed=true');
    expect([whole.status, whole.text.includes(PASSWORD)]).toEqual([200, true]);
    expect((await replayed(setup, whole.text)).errors).toMatch(/the same as recorded/);
    const { body: token } = await api<{ token: string }>(setup.server, 'POST', '/api/tokens', { name: 'dora', role: 'driver' });
    expect((await exported(setup, id, token.token, '&unscrubbed=true')).status).toBe(403);
    expect((await exported(setup, id, token.token)).text.includes(PASSWORD)).toBe(false);

    // Another output is another session: the difference is named.
    const changed = await replayed(setup, whole.text.replaceAll('Ran it.', 'Ran that.').replace(/(\{"event":.*)Ran that\./g, '$1Ran it.'));
    expect([changed.code, changed.errors]).toEqual([1, expect.stringMatching(/^Event \d+ differs\./)]);
    expect((await replayed(setup, 'nothing')).errors).toMatch(/not a recording/);
  });
});
