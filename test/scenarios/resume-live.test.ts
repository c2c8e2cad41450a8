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
import { claudeEnv, startClaudeBench } from '../support/agents/claude-bench.ts';
import { api } from '../support/client.ts';
import type { LiveBench } from '../support/live-suite/bench.ts';
import { processesOf } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';

const LIMIT_MS = 60_000;
/** Longer than any wait in it, so that a wait in vain ends its scenario by its own name, and nothing of it runs on into the next. */
const SCENARIO_LIMIT_MS = 5 * LIMIT_MS;

type Scenario = (title: string, run: (bench: LiveBench) => Promise<void>) => void;

function onBench(version: ClaudeVersion, ...tales: readonly ((scenario: Scenario) => void)[]): void {
  describe(`Claude Code ${version}, gone on with`, () => {
    let opened: LiveBench | { readonly skip: string };
    beforeAll(async () => {
      opened = await startClaudeBench(version);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    for (const tell of tales) {
      tell((title, run) =>
        test(title, { timeout: SCENARIO_LIMIT_MS }, async ({ skip }) => {
          if ('skip' in opened) return skip(opened.skip);
          await run(opened);
        }),
      );
    }
  });
}

/** A conversation had in a terminal: the CLI alone, with nothing of ours. */
async function inTerminal(bench: LiveBench, version: ClaudeVersion, cwd: string, ...prompts: readonly string[]): Promise<string> {
  const id = randomUUID();
  for (const [index, prompt] of prompts.entries()) {
    const child = cli(bench, version, cwd, [prompt, index === 0 ? '--session-id' : '--resume', id]);
    child.stdin.end();
    await new Promise((resolve) => child.once('close', resolve));
  }
  return id;
}

function cli(bench: LiveBench, version: ClaudeVersion, cwd: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  const found = claudePath(version);
  if ('skip' in found) throw new Error(found.skip);
  const env = { PATH: process.env.PATH ?? '', HOME: bench.server.home, ...claudeEnv(found.path, bench.model.url) };
  return spawn(found.path, ['-p', ...args], { cwd, env });
}

/** A program that holds a conversation, as an editor or a terminal would. */
async function holding(bench: LiveBench, cwd: string, id: string): Promise<ChildProcessWithoutNullStreams> {
  const child = cli(bench, '2.1.197', cwd, ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--resume', id]);
  child.stdin.on('error', () => undefined);
  const isReady = new Promise((resolve) => createInterface(child.stdout).on('line', resolve));
  child.stdin.write(`${JSON.stringify({ type: 'control_request', request_id: 'hello', request: { subtype: 'initialize' } })}\n`);
  await isReady;
  return child;
}

const past = async (bench: LiveBench, query = ''): Promise<PastList['conversations']> =>
  (await api<PastList>(bench.server, 'GET', `/api/agents/claude-code/past${query}`)).body.conversations;

const resume = (bench: LiveBench, id: string, more: Readonly<Record<string, unknown>> = {}) =>
  api<Session & { error?: { code: string; message: string } }>(bench.server, 'POST', '/api/sessions', {
    agent: 'claude-code',
    cwd: bench.server.project,
    resume: id,
    ...more,
  });

const fork = (bench: LiveBench, id: string, body: Readonly<Record<string, unknown>>) => api<Session>(bench.server, 'POST', `/api/sessions/${id}/fork`, body);

/** What the model was told when it was asked this. */
async function heardWith(bench: LiveBench, prompt: string): Promise<string> {
  const request = (await bench.model.requests()).findLast((one) => JSON.stringify(one.body).includes(prompt));
  return JSON.stringify(request?.body ?? {});
}

const answered = (bench: LiveBench, id: string, text: string): Promise<EventOf<'assistant.text'>> =>
  bench.event(id, 'assistant.text', (event) => event.text.includes(text) && event.inherited !== true);
const spoken = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const folderIn = (bench: LiveBench, name: string): string => {
  const folder = join(bench.server.project, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

const goingOn = (scenario: Scenario): void => {
  scenario('a conversation had in a terminal is listed, and goes on here with all that was said', async (bench) => {
    const id = await inTerminal(bench, '2.1.197', bench.server.project, '@PLAIN terminal-one', '@BASH echo terminal-two');
    const listed = (await past(bench, `?cwd=${encodeURIComponent(bench.server.project)}`)).find((one) => one.agentSessionId === id);
    expect(listed).toMatchObject({ title: '@PLAIN terminal-one', cwd: bench.server.project });
    expect(await past(bench, '?q=terminal-one')).toHaveLength(1);
    const { status, body } = await resume(bench, 'latest', { prompt: '@PLAIN here-three' });
    expect(status).toBe(201);
    await answered(bench, body.id, 'here-three');
    const events = await bench.events(body.id);
    const made = events.find((event) => event.type === 'session.created');
    const before = events.filter((event) => event.seq < (made?.seq ?? 0));
    expect(spoken(before)).toEqual(['@PLAIN terminal-one', 'Plain answer to: terminal-one', '@BASH echo terminal-two', 'Ran it.']);
    expect(before.find((event) => event.type === 'tool.completed')).toMatchObject({ output: 'terminal-two', isError: false });
    expect(before.every((event) => event.at < (made?.at ?? ''))).toBe(true);
    const told = await heardWith(bench, 'here-three');
    for (const word of ['terminal-one', 'terminal-two']) expect(told).toContain(word);
    expect((await bench.session(body.id)).agentSessionId).toBe(id);
    expect((await past(bench, `?q=${id}`))[0]).toMatchObject({ sessionId: body.id });
    const again = await resume(bench, id);
    expect(again.status).toBe(409);
    expect(again.body.error?.message).toContain(body.id);
  });

  scenario('a resume that cannot work says why at once, and a handover helps', async (bench) => {
    const unknown = await resume(bench, randomUUID(), { prompt: '@PLAIN never' });
    expect([unknown.status, unknown.body.error?.code]).toEqual([422, 'cannot-resume']);
    expect(unknown.body.error?.message).toContain('no conversation');
    const evil = await resume(bench, '../../../etc/passwd');
    expect(evil.status).toBe(422);
    const there = folderIn(bench, 'there');
    const id = await inTerminal(bench, '2.1.197', there, '@PLAIN said-there');
    const other = await resume(bench, id);
    expect(other.status).toBe(422);
    expect(other.body.error?.message).toContain(there);
    const handed = await resume(bench, id, { handover: true, prompt: '@PLAIN after-extract' });
    expect(handed.status).toBe(201);
    await answered(bench, handed.body.id, 'after-extract');
    const told = await heardWith(bench, 'after-extract');
    expect(told).toContain('said-there');
    expect(told).toContain('an extract of its messages, made without the agent');
    expect((await bench.event(handed.body.id, 'handover.ready')).how).toBe('extract');
  });

  scenario('a handover asks the agent in a copy; a killed server changes nothing', async (bench) => {
    const { id } = await bench.create('@PLAIN old-words');
    await answered(bench, id, 'old-words');
    const commandId = randomUUID();
    const body = { commandId, prompt: '@PLAIN fresh-words' };
    const first = await api<Session>(bench.server, 'POST', `/api/sessions/${id}/handover`, body);
    expect(first.status).toBe(201);
    await bench.server.restart();
    const again = await api<Session>(bench.server, 'POST', `/api/sessions/${id}/handover`, body);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    await answered(bench, first.body.id, 'fresh-words');
    const events = await bench.events(first.body.id);
    const ready = events.filter((event) => event.type === 'handover.ready');
    expect(ready).toHaveLength(1);
    expect(ready[0]).toMatchObject({ how: 'agent' });
    const told = await heardWith(bench, 'fresh-words');
    expect(told).toContain('a summary that the agent wrote for this purpose');
    expect(told).not.toContain('"@PLAIN old-words"');
  });

  scenario('another program that holds the conversation is named, waited for, and taken over without an orphan', async (bench) => {
    const cwd = folderIn(bench, 'two-drivers');
    const id = await inTerminal(bench, '2.1.197', cwd, '@PLAIN held-one');
    const holder = await holding(bench, cwd, id);
    const refused = await resume(bench, id, { cwd, prompt: '@PLAIN held-two' });
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'driven-elsewhere']);
    expect(refused.body.error?.message).toContain(String(holder.pid));
    holder.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: '@BASH sleep 300' } })}\n`);
    const sleeper = await waitFor('the command of the other program', () => childrenOf(bench, 'sleep 300')[0], LIMIT_MS);
    const taken = await resume(bench, id, { cwd, prompt: '@PLAIN held-two', takeover: true });
    expect(taken.status).toBe(201);
    await bench.server.restart();
    await answered(bench, taken.body.id, 'held-two');
    const events = await bench.events(taken.body.id);
    expect(events.map((event) => event.type).filter((type) => type.startsWith('driver.') || type.startsWith('takeover.'))).toEqual([
      'driver.found',
      'takeover.requested',
      'driver.gone',
    ]);
    for (const pid of [holder.pid, sleeper]) await waitFor(`the end of process ${pid}`, () => !existsSync(`/proc/${pid}`));
    expect(await bench.session(taken.body.id)).toMatchObject({ control: 'here', agentSessionId: id });
  });

  scenario('a message waits while another program holds the conversation, and goes on when that one ends', async (bench) => {
    const cwd = folderIn(bench, 'waits');
    const body = await bench.create('@PLAIN wait-two', { cwd });
    await bench.event(body.id, 'turn.completed');
    const { agentSessionId: id = '' } = await bench.session(body.id);
    await api(bench.server, 'POST', `/api/sessions/${body.id}/sleep`);
    await bench.event(body.id, 'session.exited');
    const holder = await holding(bench, cwd, id);
    await bench.send(body.id, '@PLAIN wait-three');
    await bench.event(body.id, 'driver.found');
    // The process that was to begin is called off a moment after the other one was found.
    const session = await waitFor('the session to wait', async () => {
      const now = await bench.session(body.id);
      return now.control === 'elsewhere' ? now : undefined;
    });
    expect(session).toMatchObject({ status: 'sleeping', driver: { pid: holder.pid } });
    expect(session.queue.map((input) => [input.text, input.state])).toEqual([['@PLAIN wait-three', 'accepted']]);
    holder.stdin.end();
    await answered(bench, body.id, 'wait-three');
    expect(await bench.event(body.id, 'driver.gone')).toMatchObject({ pid: holder.pid });
    expect(spoken(await bench.events(body.id)).filter((text) => text === '@PLAIN wait-three')).toHaveLength(1);
  });

  scenario('a conversation goes on from an earlier message; the session that had it is told what the agent no longer knows', async (bench) => {
    const { id } = await bench.create('@PLAIN way-one');
    const first = await answered(bench, id, 'way-one');
    await bench.event(id, 'turn.completed');
    const left = await bench.send(id, '@PLAIN way-left');
    await answered(bench, id, 'way-left');
    const { agentSessionId = '' } = await bench.session(id);
    expect((await resume(bench, agentSessionId, { at: first.seq })).status).toBe(409);
    await api(bench.server, 'POST', `/api/sessions/${id}/stop`);
    await bench.event(id, 'session.exited');
    const other = await resume(bench, agentSessionId, { at: first.seq, prompt: '@PLAIN way-right' });
    await answered(bench, other.body.id, 'way-right');
    expect(await bench.session(other.body.id)).toMatchObject({ agentSessionId, parent: { sessionId: id, seq: first.seq } });
    const told = await heardWith(bench, 'way-right');
    expect(['way-one', 'way-left'].filter((word) => told.includes(word))).toEqual(['way-one']);
    await api(bench.server, 'POST', `/api/sessions/${other.body.id}/stop`);
    await bench.event(other.body.id, 'session.exited');
    await bench.send(id, '@PLAIN way-on');
    expect(await bench.event(id, 'context.forgotten')).toMatchObject({ commandId: left, reason: expect.stringContaining('an earlier message') });
    await answered(bench, id, 'way-on');
    expect(await heardWith(bench, 'way-on')).toContain('way-right');
  });

  scenario('files go back to how they were at a message: first a dry run that tells which, then for good', async (bench) => {
    const { id } = await bench.create('@WRITE rewound.txt first', { permissionMode: 'acceptEdits' });
    await bench.event(id, 'turn.completed');
    await bench.send(id, '@EDIT rewound.txt first => second');
    await answered(bench, id, 'Edited it.');
    const file = join(bench.server.project, 'rewound.txt');
    const seq = (await bench.events(id)).findLast((event) => event.type === 'user.message')?.seq;
    await bench.event(id, 'turn.completed', (event) => event.seq > (seq ?? 0));
    const rewind = (body: object) => api<{ canRewind: boolean; files: string[] }>(bench.server, 'POST', `/api/sessions/${id}/rewind`, body);
    expect((await rewind({ seq, dryRun: true })).body).toMatchObject({ canRewind: true, files: [file] });
    expect(readFileSync(file, 'utf8')).toBe('second');
    await api(bench.server, 'POST', `/api/sessions/${id}/sleep`);
    await bench.event(id, 'session.exited');
    const commandId = randomUUID();
    const done = await rewind({ seq, commandId });
    expect(done).toMatchObject({ status: 200, body: { commandId, canRewind: true } });
    expect(readFileSync(file, 'utf8')).toBe('first');
    expect((await rewind({ seq, commandId })).body).toEqual(done.body);
    expect((await rewind({ seq: 1 })).status).toBe(404);
  });

  scenario('a record that was deleted is said to be gone, and no other conversation is begun in its place', async (bench) => {
    const cwd = folderIn(bench, 'deleted');
    const id = await inTerminal(bench, '2.1.197', cwd, '@PLAIN gone-one');
    const { body } = await resume(bench, id, { cwd });
    await bench.event(body.id, 'run.ready');
    await api(bench.server, 'POST', `/api/sessions/${body.id}/sleep`);
    await bench.event(body.id, 'session.exited');
    rmSync(join(bench.server.home, '.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-')), { recursive: true });
    await bench.send(body.id, '@PLAIN gone-two');
    const notice = await bench.event(body.id, 'notice.shown', (event) => event.level === 'error');
    expect(notice.text).toContain('gone from the disk');
    expect(await bench.session(body.id)).toMatchObject({ status: 'failed', queue: [{ text: '@PLAIN gone-two', state: 'accepted' }] });
    expect(await heardWith(bench, 'gone-two')).toBe('{}');
  });
};

const forking =
  (version: ClaudeVersion) =>
  (scenario: Scenario): void => {
    scenario('a fork at a message remembers what was said up to it, and shows no more', async (bench) => {
      const { id } = await bench.create('@PLAIN first-alpha');
      await answered(bench, id, 'first-alpha');
      await bench.send(id, '@BASH echo second-beta');
      await answered(bench, id, 'Ran it.');
      await bench.send(id, '@PLAIN third-gamma');
      await answered(bench, id, 'third-gamma');
      const at = (await bench.events(id)).find((event) => event.type === 'tool.completed')?.seq;
      const child = await fork(bench, id, { at, commandId: randomUUID(), prompt: '@PLAIN forked-delta' });
      expect(child.body).toMatchObject({ parent: { sessionId: id, seq: at } });
      await answered(bench, child.body.id, 'forked-delta');
      const told = await heardWith(bench, 'forked-delta');
      expect(['first-alpha', 'second-beta', 'third-gamma'].filter((word) => told.includes(word))).toEqual(['first-alpha', 'second-beta']);
      const inherited = (await bench.events(child.body.id)).filter((event) => event.inherited);
      expect(spoken(inherited)).toEqual(['@PLAIN first-alpha', 'Plain answer to: first-alpha', '@BASH echo second-beta']);
      expect((await bench.session(child.body.id)).agentSessionId).not.toBe((await bench.session(id)).agentSessionId);

      const grandchild = await fork(bench, child.body.id, {
        at: inherited.find((event) => event.type === 'assistant.text')?.seq,
        prompt: '@PLAIN forked-again',
      });
      await answered(bench, grandchild.body.id, 'forked-again');
      const toldAgain = await heardWith(bench, 'forked-again');
      expect(['first-alpha', 'second-beta', 'forked-delta'].filter((word) => toldAgain.includes(word))).toEqual(['first-alpha']);

      await bench.send(id, '@PLAIN parent-goes-on');
      await answered(bench, id, 'parent-goes-on');
      expect(await heardWith(bench, 'parent-goes-on')).not.toContain('forked-delta');
    });

    scenario('a busy session can be forked', async (bench) => {
      const gate = `fork-${version}`;
      const { id } = await bench.create('@PLAIN before-busy');
      await answered(bench, id, 'before-busy');
      await bench.send(id, `@SLOW ${gate} 3`);
      await bench.model.arrived(gate, 1);
      const child = await fork(bench, id, { prompt: '@PLAIN beside-it' });
      await answered(bench, child.body.id, 'beside-it');
      expect(await heardWith(bench, 'beside-it')).toContain('before-busy');
      await bench.model.open(gate);
      await answered(bench, id, 'piece3');
    });
  };

onBench('2.1.197', goingOn, forking('2.1.197'));
onBench('2.1.325', forking('2.1.325'));

/** Processes of this bench whose command line is this. */
function childrenOf(bench: LiveBench, command: string): readonly number[] {
  return processesOf(bench.server.home).filter((pid) => commandOf(pid) === command);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return '';
  }
}
