import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import type { CommandId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv, startClaudeSetup } from '../support/agents/claude-setup.ts';
import { talk } from '../support/agents/talk-to-agent.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { processesOf } from '../support/processes.ts';
import { startScriptedModel } from '../support/scripted-model/model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

// As root, the CLI bypasses permissions only with IS_SANDBOX.
const ENV = { SIGNALBOX_ALLOW_BYPASS: '1', IS_SANDBOX: '1' };

for (const version of ['2.1.197', '2.1.325'] as const) {
  describe(`settings of Claude Code ${version}`, () => {
    let opened: LiveSetup | { readonly skip: string };
    beforeAll(async () => {
      opened = await startClaudeSetup(version, ENV);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    const scenario = (title: string, run: (setup: LiveSetup) => Promise<void>) =>
      test(title, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened);
      });

    scenario(
      'model, mode and thinking change once the agent confirms it, even if the server is killed in between, and the next request uses them',
      async (setup) => {
        const { id } = await setup.create('@PLAIN one');
        await setup.event(id, 'turn.completed');
        await put(setup, id, 'model', { model: 'sonnet' });
        const { model } = await setup.event(id, 'model.changed');
        await put(setup, id, 'permission-mode', { mode: 'plan' });
        await setup.event(id, 'mode.changed');
        await put(setup, id, 'thinking', { thinking: 'max' });
        await setup.server.restart();
        await setup.event(id, 'thinking.changed');
        const before = await setup.session(id);
        expect(before).toMatchObject({ model, permissionMode: 'plan', thinking: 'max' });
        await sendAndFinish(setup, id, '@PLAIN two');
        expect(await lastRequest(setup, before)).toMatchObject({ model, output_config: { effort: 'max' } });
        const changes = (await setup.events(id)).map((event) => event.type).filter((type) => /^(model|mode|thinking)\.changed$/.test(type));
        expect(changes).toEqual(['model.changed', 'mode.changed', 'thinking.changed']);
      },
    );

    scenario('settings changed while it slept apply in the next process, where the agent confirms them', async (setup) => {
      const { id } = await setup.create('@PLAIN first', { thinking: 'low' });
      await setup.event(id, 'session.status', (event) => event.status === 'idle');
      await api(setup.server, 'POST', `/api/sessions/${id}/sleep`, {});
      await setup.event(id, 'session.status', (event) => event.status === 'sleeping');
      await put(setup, id, 'thinking', { thinking: 'high' });
      await put(setup, id, 'permission-mode', { mode: 'acceptEdits' });
      expect(await setup.session(id)).toMatchObject({ thinking: 'low', status: 'sleeping' });
      await sendAndFinish(setup, id, '@WRITE awake.txt here');
      expect(readFileSync(join(setup.server.project, 'awake.txt'), 'utf8')).toBe('here');
      const session = await setup.session(id);
      expect(session).toMatchObject({ thinking: 'high', permissionMode: 'acceptEdits', waiting: 0 });
      expect(await lastRequest(setup, session)).toMatchObject({ output_config: { effort: 'high' } });
    });

    test('a dry run lists the files, a rewind restores them, and an unknown message is refused', async ({ skip }) => {
      const claude = claudePath(version);
      if ('skip' in claude) return skip(claude.skip);
      const folder = temporaryFolder('rewind');
      const model = await startScriptedModel();
      try {
        const env = { PATH: process.env.PATH ?? '', HOME: folder, ...claudeEnv(claude.path, model.url) };
        const opening = { cwd: folder, options: { permissionMode: 'acceptEdits' }, mode: 'new', agentSessionId: crypto.randomUUID() } as const;
        const launch = claudeCode.launch({ executable: claude.path, packageRoot: process.cwd(), env, ...opening });
        const agent = talk(claudeCode, spawn(launch.command, [...launch.args], { cwd: folder, env: launch.env }));
        for (const line of claudeCode.handshake(opening)) agent.raw(line);
        const second = crypto.randomUUID();
        for (const [id, text] of [
          [crypto.randomUUID(), '@WRITE kept.txt one'],
          [second, '@WRITE gone.txt two'],
        ] as const) {
          agent.input(id, text);
          await agent.next('turn.ended');
        }
        const rewind = (messageId: string, dryRun: boolean) => {
          agent.send({ kind: 'rewind', commandId: 'r' as CommandId, messageId, dryRun });
          return agent.next('files.rewound');
        };
        const files = [join(folder, 'gone.txt')];
        expect(await rewind(second, true)).toMatchObject({ dryRun: true, canRewind: true, files, deletions: 1 });
        expect(existsSync(join(folder, 'gone.txt'))).toBe(true);
        expect(await rewind(second, false)).toMatchObject({ dryRun: false, canRewind: true, files });
        expect([existsSync(join(folder, 'gone.txt')), existsSync(join(folder, 'kept.txt'))]).toEqual([false, true]);
        expect(await rewind(crypto.randomUUID(), true)).toMatchObject({ canRewind: false, problem: expect.stringContaining('No file checkpoint') });
        agent.endInput();
        await agent.exit();
      } finally {
        await model.close();
      }
    });

    if (version === '2.1.325') return;

    scenario("a setting that the agent refuses changes nothing and gives the agent's reason", async (setup) => {
      const { id } = await setup.create('@PLAIN hello', { model: 'claude-haiku-4-5' });
      await setup.event(id, 'turn.completed');
      await put(setup, id, 'permission-mode', { mode: 'auto' });
      const refused = await setup.event(id, 'setting.refused');
      expect(refused).toMatchObject({ setting: 'mode', value: 'auto', reason: expect.stringContaining('auto mode unavailable') });
      expect(await setup.session(id)).toMatchObject({ permissionMode: 'default', status: 'idle' });
    });

    scenario('bypassing permissions starts a new process of the same conversation, which no longer asks', async (setup) => {
      const { id } = await setup.create('@PLAIN remember me');
      await setup.event(id, 'session.status', (event) => event.status === 'idle');
      await put(setup, id, 'permission-mode', { mode: 'bypassPermissions' });
      await setup.event(id, 'run.ending', (event) => event.reason === 'restart');
      await sendAndFinish(setup, id, '@BASH echo unasked > bypassed.txt');
      expect(readFileSync(join(setup.server.project, 'bypassed.txt'), 'utf8')).toBe('unasked\n');
      const session = await setup.session(id);
      expect(session.permissionMode).toBe('bypassPermissions');
      expect(JSON.stringify(await lastRequest(setup, session))).toContain('remember me');
      expect((await setup.events(id)).filter((event) => event.type === 'permission.requested')).toEqual([]);
    });

    scenario('every option reaches the CLI', async (setup) => {
      const more = join(setup.server.home, 'more');
      mkdirSync(more);
      writeFileSync(join(more, 'mcp.json'), '{"mcpServers":{}}');
      const { id } = await setup.create('@BASH echo "$GREETING" from the option', {
        systemPrompt: 'You are the first words.',
        appendSystemPrompt: 'And these are the last.',
        allowedTools: ['Bash'],
        disallowedTools: ['NotebookEdit'],
        addDirs: [more],
        mcpConfigPath: join(more, 'mcp.json'),
        maxTurns: 1,
        fallbackModel: 'claude-haiku-4-5',
        env: { GREETING: 'hello' },
        flags: ['--max-budget-usd', '5'],
      });
      const done = await setup.event(id, 'turn.completed');
      expect(done).toMatchObject({ stopReason: 'max_turns', isError: true, errors: [expect.stringContaining('maximum number of turns (1)')] });
      const events = await setup.events(id);
      expect(events.filter((event) => event.type === 'permission.requested')).toEqual([]);
      expect(events.find((event) => event.type === 'tool.completed')).toMatchObject({ output: 'hello from the option' });
      const request = JSON.stringify(await lastRequest(setup, await setup.session(id)));
      for (const words of ['You are the first words.', 'And these are the last.']) expect(request).toContain(words);
      expect(request).not.toContain('"name":"NotebookEdit"');
      const args = argumentsOf(setup, id, events.find((event) => event.type === 'run.opened')?.run ?? '');
      const flags = ['--max-budget-usd=5', '--fallback-model=claude-haiku-4-5', `--add-dir=${more}`, `--mcp-config=${join(more, 'mcp.json')}`];
      expect(args).toEqual(expect.arrayContaining(flags));
    });

    scenario('a usage limit is reported with its reset time, and ends when the agent says so', async (setup) => {
      const account = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake' };
      const { id } = await setup.create('@LIMIT 1800000000', { env: account });
      const done = await setup.event(id, 'turn.completed');
      expect(done.isError).toBe(true);
      expect((await setup.session(id)).limit).toEqual({ status: 'rejected', kind: 'five_hour', resetsAt: '2027-01-15T08:00:00.000Z' });
      await sendAndFinish(setup, id, '@PLAIN again');
      expect((await setup.session(id)).limit).toBeUndefined();
    });

    scenario('an idle agent sleeps, frees its memory, and wakes with its conversation; a restarted server shows the same', async (setup) => {
      const claude = claudePath(version);
      if ('skip' in claude) return;
      const { id } = await setup.create('@PLAIN what I said before');
      await setup.event(id, 'session.status', (event) => event.status === 'idle');
      const awake = await waitForMemory(setup, id, 50 * 1024 * 1024);
      const env = { ...claudeEnv(claude.path, setup.model.url), ...ENV, SIGNALBOX_IDLE_MINUTES: '0.01' };
      await setup.server.restart({ env });
      await setup.event(id, 'session.status', (event) => event.status === 'sleeping');
      const asleep = await setup.session(id);
      expect(asleep).toMatchObject({ status: 'sleeping', control: 'none' });
      expect([asleep.pid, asleep.rssBytes]).toEqual([undefined, undefined]);
      expect(existsSync(`/proc/${awake.pid}`)).toBe(false);
      expect(processesOfRun(setup, (await setup.event(id, 'run.opened')).run)).toEqual([]);
      await setup.server.restart();
      expect(await setup.session(id)).toEqual(asleep);
      await sendAndFinish(setup, id, '@PLAIN and now');
      expect(JSON.stringify(await lastRequest(setup, asleep))).toContain('what I said before');
    });
  });
}

async function put(setup: LiveSetup, id: string, what: string, body: object): Promise<void> {
  const answer = await api(setup.server, 'PUT', `/api/sessions/${id}/${what}`, body);
  expect(answer).toMatchObject({ status: 202 });
}

/** Sends a message and waits for the end of its turn. */
async function sendAndFinish(setup: LiveSetup, id: string, text: string): Promise<void> {
  const commandId = await setup.send(id, text);
  const done = await setup.event(id, 'turn.completed', (event) => event.commandId === commandId);
  expect(done.isError).toBe(false);
}

const Body = z.record(z.string(), z.unknown());

/** The agent's last request to the model in this conversation. */
async function lastRequest(setup: LiveSetup, { agentSessionId }: Session): Promise<z.infer<typeof Body>> {
  const requests = (await setup.model.requests()).filter((request) => request.sessionId === agentSessionId && request.scene !== undefined);
  return Body.parse(requests.at(-1)?.body);
}

/** Memory is measured every 5 seconds, the first time perhaps before the program has grown. */
const waitForMemory = (setup: LiveSetup, id: string, bytes: number): Promise<Session> =>
  waitFor(`memory of ${id} over ${bytes} bytes`, async () => {
    const session = await setup.session(id);
    return (session.rssBytes ?? 0) > bytes && session;
  });

/** Everything an agent starts inherits the marker of its run. */
const processesOfRun = (setup: LiveSetup, run: string): readonly number[] =>
  processesOf(setup.server.home).filter((pid) => existsSync(`/proc/${pid}/environ`) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(run));

const HostFile = z.object({ args: z.array(z.string()) });
const argumentsOf = (setup: LiveSetup, id: string, run: string): readonly string[] =>
  HostFile.parse(JSON.parse(readFileSync(join(setup.server.data, 'sessions', id, run, 'host.json'), 'utf8'))).args;
