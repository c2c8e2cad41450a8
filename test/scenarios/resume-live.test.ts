import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, EventOf } from '../../src/protocol/event.ts';
import type { PastList } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { type ClaudeVersion, claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv, startClaudeSetup } from '../support/agents/claude-setup.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { processesOf } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';

const LIMIT_MS = 60_000;
/** Longer than any wait in a scenario, so a failed wait is reported by its own name and nothing continues into the next scenario. */
const SCENARIO_LIMIT_MS = 5 * LIMIT_MS;

type Scenario = (title: string, run: (setup: LiveSetup) => Promise<void>) => void;

function describeVersion(version: ClaudeVersion, ...groups: readonly ((scenario: Scenario) => void)[]): void {
  describe(`resuming Claude Code ${version}`, () => {
    let opened: LiveSetup | { readonly skip: string };
    beforeAll(async () => {
      opened = await startClaudeSetup(version);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    for (const define of groups) {
      define((title, run) =>
        test(title, { timeout: SCENARIO_LIMIT_MS }, async ({ skip }) => {
          if ('skip' in opened) return skip(opened.skip);
          await run(opened);
        }));
    }
  });
}

/** Has a conversation in a terminal, with the CLI alone and nothing of ours. */
async function inTerminal(setup: LiveSetup, version: ClaudeVersion, cwd: string, ...prompts: readonly string[]): Promise<string> {
  const id = randomUUID();
  for (const [index, prompt] of prompts.entries()) {
    const child = cli(setup, version, cwd, [prompt, index === 0 ? '--session-id' : '--resume', id]);
    child.stdin.end();
    await new Promise((resolve) => child.once('close', resolve));
  }
  return id;
}

function cli(setup: LiveSetup, version: ClaudeVersion, cwd: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  const found = claudePath(version);
  if ('skip' in found) throw new Error(found.skip);
  const env = { PATH: process.env.PATH ?? '', HOME: setup.server.home, ...claudeEnv(found.path, setup.model.url) };
  return spawn(found.path, ['-p', ...args], { cwd, env });
}

/** Starts a program that has a conversation open, like an editor or a terminal would. */
async function openElsewhere(setup: LiveSetup, cwd: string, id: string): Promise<ChildProcessWithoutNullStreams> {
  const child = cli(setup, '2.1.197', cwd, ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--resume', id]);
  child.stdin.on('error', () => undefined);
  const isReady = new Promise((resolve) => createInterface(child.stdout).on('line', resolve));
  child.stdin.write(`${JSON.stringify({ type: 'control_request', request_id: 'hello', request: { subtype: 'initialize' } })}\n`);
  await isReady;
  return child;
}

const past = async (setup: LiveSetup, query = ''): Promise<PastList['conversations']> =>
  (await api<PastList>(setup.server, 'GET', `/api/agents/claude-code/past${query}`)).body.conversations;

const resume = (setup: LiveSetup, id: string, more: Readonly<Record<string, unknown>> = {}) =>
  api<Session & { error?: { code: string; message: string } }>(setup.server, 'POST', '/api/sessions', {
    agent: 'claude-code',
    cwd: setup.server.project,
    resume: id,
    ...more,
  });

const fork = (setup: LiveSetup, id: string, body: Readonly<Record<string, unknown>>) => api<Session>(setup.server, 'POST', `/api/sessions/${id}/fork`, body);

/** The model's request that contained this prompt. */
async function modelRequestWith(setup: LiveSetup, prompt: string): Promise<string> {
  const request = (await setup.model.requests()).findLast((one) => JSON.stringify(one.body).includes(prompt));
  return JSON.stringify(request?.body ?? {});
}

const answered = (setup: LiveSetup, id: string, text: string): Promise<EventOf<'assistant.text'>> =>
  setup.event(id, 'assistant.text', (event) => event.text.includes(text) && event.inherited !== true);
const textsOf = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const folderIn = (setup: LiveSetup, name: string): string => {
  const folder = join(setup.server.project, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

const resuming = (scenario: Scenario): void => {
  scenario('a conversation from a terminal is listed, and continues here with its whole history', async (setup) => {
    const id = await inTerminal(setup, '2.1.197', setup.server.project, '@PLAIN terminal-one', '@BASH echo terminal-two');
    const listed = (await past(setup, `?cwd=${encodeURIComponent(setup.server.project)}`)).find((one) => one.agentSessionId === id);
    expect(listed).toMatchObject({ title: '@PLAIN terminal-one', cwd: setup.server.project });
    expect(await past(setup, '?q=terminal-one')).toHaveLength(1);
    const { status, body } = await resume(setup, 'latest', { prompt: '@PLAIN here-three' });
    expect(status).toBe(201);
    await answered(setup, body.id, 'here-three');
    const events = await setup.events(body.id);
    const made = events.find((event) => event.type === 'session.created');
    const before = events.filter((event) => event.seq < (made?.seq ?? 0));
    expect(textsOf(before)).toEqual(['@PLAIN terminal-one', 'Plain answer to: terminal-one', '@BASH echo terminal-two', 'Ran it.']);
    expect(before.find((event) => event.type === 'tool.completed')).toMatchObject({ output: 'terminal-two', isError: false });
    expect(before.every((event) => event.at < (made?.at ?? ''))).toBe(true);
    const request = await modelRequestWith(setup, 'here-three');
    for (const word of ['terminal-one', 'terminal-two']) expect(request).toContain(word);
    expect((await setup.session(body.id)).agentSessionId).toBe(id);
    expect((await past(setup, `?q=${id}`))[0]).toMatchObject({ sessionId: body.id });
    const again = await resume(setup, id);
    expect(again.status).toBe(409);
    expect(again.body.error?.message).toContain(body.id);
  });

  scenario('a resume that cannot work is refused with a reason, and a handover works instead', async (setup) => {
    const unknown = await resume(setup, randomUUID(), { prompt: '@PLAIN never' });
    expect([unknown.status, unknown.body.error?.code]).toEqual([422, 'cannot-resume']);
    expect(unknown.body.error?.message).toContain('no conversation');
    const evil = await resume(setup, '../../../etc/passwd');
    expect(evil.status).toBe(422);
    const there = folderIn(setup, 'there');
    const id = await inTerminal(setup, '2.1.197', there, '@PLAIN said-there');
    const other = await resume(setup, id);
    expect(other.status).toBe(422);
    expect(other.body.error?.message).toContain(there);
    const handover = await resume(setup, id, { handover: true, prompt: '@PLAIN after-extract' });
    expect(handover.status).toBe(201);
    await answered(setup, handover.body.id, 'after-extract');
    const request = await modelRequestWith(setup, 'after-extract');
    expect(request).toContain('said-there');
    expect(request).toContain('an extract of its messages, made without the agent');
    expect((await setup.event(handover.body.id, 'handover.ready')).how).toBe('extract');
  });

  scenario('a handover asks a copy of the agent for a summary, even when the server is killed', async (setup) => {
    const { id } = await setup.create('@PLAIN old-words');
    await answered(setup, id, 'old-words');
    const commandId = randomUUID();
    const body = { commandId, prompt: '@PLAIN fresh-words' };
    const first = await api<Session>(setup.server, 'POST', `/api/sessions/${id}/handover`, body);
    expect(first.status).toBe(201);
    await setup.server.restart();
    const again = await api<Session>(setup.server, 'POST', `/api/sessions/${id}/handover`, body);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    await answered(setup, first.body.id, 'fresh-words');
    const events = await setup.events(first.body.id);
    const ready = events.filter((event) => event.type === 'handover.ready');
    expect(ready).toHaveLength(1);
    expect(ready[0]).toMatchObject({ how: 'agent' });
    const request = await modelRequestWith(setup, 'fresh-words');
    expect(request).toContain('a summary that the agent wrote for this purpose');
    expect(request).not.toContain('"@PLAIN old-words"');
  });

  scenario('another program that has the conversation open is named, and a takeover ends it without leaving processes', async (setup) => {
    const cwd = folderIn(setup, 'two-drivers');
    const id = await inTerminal(setup, '2.1.197', cwd, '@PLAIN held-one');
    const holder = await openElsewhere(setup, cwd, id);
    const refused = await resume(setup, id, { cwd, prompt: '@PLAIN held-two' });
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'driven-elsewhere']);
    expect(refused.body.error?.message).toContain(String(holder.pid));
    holder.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: '@BASH sleep 300' } })}\n`);
    const sleeper = await waitFor('the command of the other program', () => childrenOf(setup, 'sleep 300')[0], LIMIT_MS);
    const taken = await resume(setup, id, { cwd, prompt: '@PLAIN held-two', takeover: true });
    expect(taken.status).toBe(201);
    await setup.server.restart();
    await answered(setup, taken.body.id, 'held-two');
    const events = await setup.events(taken.body.id);
    expect(events.map((event) => event.type).filter((type) => type.startsWith('driver.') || type.startsWith('takeover.'))).toEqual([
      'driver.found',
      'takeover.requested',
      'driver.gone',
    ]);
    for (const pid of [holder.pid, sleeper]) await waitFor(`the end of process ${pid}`, () => !existsSync(`/proc/${pid}`));
    expect(await setup.session(taken.body.id)).toMatchObject({ control: 'here', agentSessionId: id });
  });

  scenario('a message waits while the conversation is open elsewhere, and is delivered when that program ends', async (setup) => {
    const cwd = folderIn(setup, 'waits');
    const body = await setup.create('@PLAIN wait-two', { cwd });
    await setup.event(body.id, 'turn.completed');
    const { agentSessionId: id = '' } = await setup.session(body.id);
    await api(setup.server, 'POST', `/api/sessions/${body.id}/sleep`);
    await setup.event(body.id, 'session.exited');
    const holder = await openElsewhere(setup, cwd, id);
    await setup.send(body.id, '@PLAIN wait-three');
    await setup.event(body.id, 'driver.found');
    // Our planned process is canceled a moment after the other program is found.
    const session = await waitFor('the session to wait', async () => {
      const now = await setup.session(body.id);
      return now.control === 'elsewhere' ? now : undefined;
    });
    expect(session).toMatchObject({ status: 'sleeping', driver: { pid: holder.pid } });
    expect(session.queue.map((input) => [input.text, input.state])).toEqual([['@PLAIN wait-three', 'accepted']]);
    holder.stdin.end();
    await answered(setup, body.id, 'wait-three');
    expect(await setup.event(body.id, 'driver.gone')).toMatchObject({ pid: holder.pid });
    expect(textsOf(await setup.events(body.id)).filter((text) => text === '@PLAIN wait-three')).toHaveLength(1);
  });

  scenario('a conversation continues from an earlier message; its first session shows what the agent no longer knows', async (setup) => {
    const { id } = await setup.create('@PLAIN way-one');
    const first = await answered(setup, id, 'way-one');
    await setup.event(id, 'turn.completed');
    const left = await setup.send(id, '@PLAIN way-left');
    await answered(setup, id, 'way-left');
    const { agentSessionId = '' } = await setup.session(id);
    expect((await resume(setup, agentSessionId, { at: first.seq })).status).toBe(409);
    await api(setup.server, 'POST', `/api/sessions/${id}/stop`);
    await setup.event(id, 'session.exited');
    const other = await resume(setup, agentSessionId, { at: first.seq, prompt: '@PLAIN way-right' });
    await answered(setup, other.body.id, 'way-right');
    expect(await setup.session(other.body.id)).toMatchObject({ agentSessionId, parent: { sessionId: id, seq: first.seq } });
    const request = await modelRequestWith(setup, 'way-right');
    expect(['way-one', 'way-left'].filter((word) => request.includes(word))).toEqual(['way-one']);
    await api(setup.server, 'POST', `/api/sessions/${other.body.id}/stop`);
    await setup.event(other.body.id, 'session.exited');
    await setup.send(id, '@PLAIN way-on');
    expect(await setup.event(id, 'context.forgotten')).toMatchObject({ commandId: left, reason: expect.stringContaining('an earlier message') });
    await answered(setup, id, 'way-on');
    expect(await modelRequestWith(setup, 'way-on')).toContain('way-right');
  });

  scenario('files are restored to their state at a message: a dry run lists them first', async (setup) => {
    const { id } = await setup.create('@WRITE rewound.txt first', { permissionMode: 'acceptEdits' });
    await setup.event(id, 'turn.completed');
    await setup.send(id, '@EDIT rewound.txt first => second');
    await answered(setup, id, 'Edited it.');
    const file = join(setup.server.project, 'rewound.txt');
    const seq = (await setup.events(id)).findLast((event) => event.type === 'user.message')?.seq;
    await setup.event(id, 'turn.completed', (event) => event.seq > (seq ?? 0));
    const rewind = (body: object) => api<{ canRewind: boolean; files: string[] }>(setup.server, 'POST', `/api/sessions/${id}/rewind`, body);
    expect((await rewind({ seq, dryRun: true })).body).toMatchObject({ canRewind: true, files: [file] });
    expect(readFileSync(file, 'utf8')).toBe('second');
    await api(setup.server, 'POST', `/api/sessions/${id}/sleep`);
    await setup.event(id, 'session.exited');
    const commandId = randomUUID();
    const done = await rewind({ seq, commandId });
    expect(done).toMatchObject({ status: 200, body: { commandId, canRewind: true } });
    expect(readFileSync(file, 'utf8')).toBe('first');
    expect((await rewind({ seq, commandId })).body).toEqual(done.body);
    expect((await rewind({ seq: 1 })).status).toBe(404);
  });

  scenario('a deleted record is reported, and no new conversation is started in its place', async (setup) => {
    const cwd = folderIn(setup, 'deleted');
    const id = await inTerminal(setup, '2.1.197', cwd, '@PLAIN gone-one');
    const { body } = await resume(setup, id, { cwd });
    await setup.event(body.id, 'run.ready');
    await api(setup.server, 'POST', `/api/sessions/${body.id}/sleep`);
    await setup.event(body.id, 'session.exited');
    rmSync(join(setup.server.home, '.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-')), { recursive: true });
    await setup.send(body.id, '@PLAIN gone-two');
    const notice = await setup.event(body.id, 'notice.shown', (event) => event.level === 'error');
    expect(notice.text).toContain('gone from the disk');
    expect(await setup.session(body.id)).toMatchObject({ status: 'failed', queue: [{ text: '@PLAIN gone-two', state: 'accepted' }] });
    expect(await modelRequestWith(setup, 'gone-two')).toBe('{}');
  });
};

const forking =
  (version: ClaudeVersion) =>
  (scenario: Scenario): void => {
    scenario('a fork at a message has the conversation up to that message and nothing later', async (setup) => {
      const { id } = await setup.create('@PLAIN first-alpha');
      await answered(setup, id, 'first-alpha');
      await setup.send(id, '@BASH echo second-beta');
      await answered(setup, id, 'Ran it.');
      await setup.send(id, '@PLAIN third-gamma');
      await answered(setup, id, 'third-gamma');
      const at = (await setup.events(id)).find((event) => event.type === 'tool.completed')?.seq;
      const child = await fork(setup, id, { at, commandId: randomUUID(), prompt: '@PLAIN forked-delta' });
      expect(child.body).toMatchObject({ parent: { sessionId: id, seq: at } });
      await answered(setup, child.body.id, 'forked-delta');
      const request = await modelRequestWith(setup, 'forked-delta');
      expect(['first-alpha', 'second-beta', 'third-gamma'].filter((word) => request.includes(word))).toEqual(['first-alpha', 'second-beta']);
      const inherited = (await setup.events(child.body.id)).filter((event) => event.inherited);
      expect(textsOf(inherited)).toEqual(['@PLAIN first-alpha', 'Plain answer to: first-alpha', '@BASH echo second-beta']);
      expect((await setup.session(child.body.id)).agentSessionId).not.toBe((await setup.session(id)).agentSessionId);

      const grandchild = await fork(setup, child.body.id, {
        at: inherited.find((event) => event.type === 'assistant.text')?.seq,
        prompt: '@PLAIN forked-again',
      });
      await answered(setup, grandchild.body.id, 'forked-again');
      const secondRequest = await modelRequestWith(setup, 'forked-again');
      expect(['first-alpha', 'second-beta', 'forked-delta'].filter((word) => secondRequest.includes(word))).toEqual(['first-alpha']);

      await setup.send(id, '@PLAIN parent-goes-on');
      await answered(setup, id, 'parent-goes-on');
      expect(await modelRequestWith(setup, 'parent-goes-on')).not.toContain('forked-delta');
    });

    scenario('a busy session can be forked', async (setup) => {
      const gate = `fork-${version}`;
      const { id } = await setup.create('@PLAIN before-busy');
      await answered(setup, id, 'before-busy');
      await setup.send(id, `@SLOW ${gate} 3`);
      await setup.model.arrived(gate, 1);
      const child = await fork(setup, id, { prompt: '@PLAIN beside-it' });
      await answered(setup, child.body.id, 'beside-it');
      expect(await modelRequestWith(setup, 'beside-it')).toContain('before-busy');
      await setup.model.open(gate);
      await answered(setup, id, 'piece3');
    });
  };

describeVersion('2.1.197', resuming, forking('2.1.197'));
describeVersion('2.1.325', forking('2.1.325'));

/** Processes of this setup with this command line. */
function childrenOf(setup: LiveSetup, command: string): readonly number[] {
  return processesOf(setup.server.home).filter((pid) => commandOf(pid) === command);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return '';
  }
}
