import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import type { CommandId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv, startClaudeBench } from '../support/agents/claude-bench.ts';
import { talk } from '../support/agents/talk-to-agent.ts';
import { api } from '../support/client.ts';
import type { LiveBench } from '../support/live-suite/bench.ts';
import { processesOf } from '../support/processes.ts';
import { startScriptedModel } from '../support/scripted-model/model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

// As root the CLI bypasses permissions only when told that it is in a sandbox.
const ENV = { SIGNALBOX_ALLOW_BYPASS: '1', IS_SANDBOX: '1' };

for (const version of ['2.1.197', '2.1.325'] as const) {
  describe(`settings of Claude Code ${version}`, () => {
    let opened: LiveBench | { readonly skip: string };
    beforeAll(async () => {
      opened = await startClaudeBench(version, ENV);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    const scenario = (title: string, run: (bench: LiveBench) => Promise<void>) =>
      test(title, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened);
      });

    scenario(
      'model, mode and thinking change when the agent confirms it, once each, also to a server that was killed meanwhile, and the next request is made so',
      async (bench) => {
        const { id } = await bench.create('@PLAIN one');
        await bench.event(id, 'turn.completed');
        await put(bench, id, 'model', { model: 'sonnet' });
        const { model } = await bench.event(id, 'model.changed');
        await put(bench, id, 'permission-mode', { mode: 'plan' });
        await bench.event(id, 'mode.changed');
        await put(bench, id, 'thinking', { thinking: 'max' });
        await bench.server.restart();
        await bench.event(id, 'thinking.changed');
        const before = await bench.session(id);
        expect(before).toMatchObject({ model, permissionMode: 'plan', thinking: 'max' });
        await ask(bench, id, '@PLAIN two');
        expect(await lastRequest(bench, before)).toMatchObject({ model, output_config: { effort: 'max' } });
        const told = (await bench.events(id)).map((event) => event.type).filter((type) => /^(model|mode|thinking)\.changed$/.test(type));
        expect(told).toEqual(['model.changed', 'mode.changed', 'thinking.changed']);
      },
    );

    scenario('what was wished while it slept holds in the next process, and the agent confirms it there', async (bench) => {
      const { id } = await bench.create('@PLAIN first', { thinking: 'low' });
      await bench.event(id, 'session.status', (event) => event.status === 'idle');
      await api(bench.server, 'POST', `/api/sessions/${id}/sleep`, {});
      await bench.event(id, 'session.status', (event) => event.status === 'sleeping');
      await put(bench, id, 'thinking', { thinking: 'high' });
      await put(bench, id, 'permission-mode', { mode: 'acceptEdits' });
      expect(await bench.session(id)).toMatchObject({ thinking: 'low', status: 'sleeping' });
      await ask(bench, id, '@WRITE awake.txt here');
      expect(readFileSync(join(bench.server.project, 'awake.txt'), 'utf8')).toBe('here');
      const session = await bench.session(id);
      expect(session).toMatchObject({ thinking: 'high', permissionMode: 'acceptEdits', waiting: 0 });
      expect(await lastRequest(bench, session)).toMatchObject({ output_config: { effort: 'high' } });
    });

    test('files are put back: a dry run names them, the real one restores them, an unknown message is refused', async ({ skip }) => {
      const claude = claudePath(version);
      if ('skip' in claude) return skip(claude.skip);
      const folder = temporaryFolder('rewind');
      const model = await startScriptedModel();
      try {
        const env = { PATH: process.env.PATH ?? '', HOME: folder, ...claudeEnv(claude.path, model.url) };
        const opening = { cwd: folder, options: { permissionMode: 'acceptEdits' }, mode: 'new', agentSessionId: crypto.randomUUID() } as const;
        const launch = claudeCode.launch({ executable: claude.path, packageRoot: process.cwd(), env, ...opening });
        const agent = talk(claudeCode, spawn(launch.command, [...launch.args], { cwd: folder, env: launch.env }));
        for (const line of claudeCode.greet(opening)) agent.raw(line);
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

    scenario('a wish that the agent refuses changes nothing and says why in its words', async (bench) => {
      const { id } = await bench.create('@PLAIN hello', { model: 'claude-haiku-4-5' });
      await bench.event(id, 'turn.completed');
      await put(bench, id, 'permission-mode', { mode: 'auto' });
      const refused = await bench.event(id, 'setting.refused');
      expect(refused).toMatchObject({ setting: 'mode', value: 'auto', reason: expect.stringContaining('auto mode unavailable') });
      expect(await bench.session(id)).toMatchObject({ permissionMode: 'default', status: 'idle' });
    });

    scenario('the bypass of permissions begins a fresh process of the same conversation, and nothing is asked any more', async (bench) => {
      const { id } = await bench.create('@PLAIN remember me');
      await bench.event(id, 'session.status', (event) => event.status === 'idle');
      await put(bench, id, 'permission-mode', { mode: 'bypassPermissions' });
      await bench.event(id, 'run.ending', (event) => event.reason === 'restart');
      await ask(bench, id, '@BASH echo unasked > bypassed.txt');
      expect(readFileSync(join(bench.server.project, 'bypassed.txt'), 'utf8')).toBe('unasked\n');
      const session = await bench.session(id);
      expect(session.permissionMode).toBe('bypassPermissions');
      expect(JSON.stringify(await lastRequest(bench, session))).toContain('remember me');
      expect((await bench.events(id)).filter((event) => event.type === 'permission.requested')).toEqual([]);
    });

    scenario('every option reaches the CLI', async (bench) => {
      const more = join(bench.server.home, 'more');
      mkdirSync(more);
      writeFileSync(join(more, 'mcp.json'), '{"mcpServers":{}}');
      const { id } = await bench.create('@BASH echo "$GREETING" from the option', {
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
      const done = await bench.event(id, 'turn.completed');
      expect(done).toMatchObject({ stopReason: 'max_turns', isError: true, errors: [expect.stringContaining('maximum number of turns (1)')] });
      const events = await bench.events(id);
      expect(events.filter((event) => event.type === 'permission.requested')).toEqual([]);
      expect(events.find((event) => event.type === 'tool.completed')).toMatchObject({ output: 'hello from the option' });
      const request = JSON.stringify(await lastRequest(bench, await bench.session(id)));
      for (const words of ['You are the first words.', 'And these are the last.']) expect(request).toContain(words);
      expect(request).not.toContain('"name":"NotebookEdit"');
      const args = argumentsOf(bench, id, events.find((event) => event.type === 'run.opened')?.run ?? '');
      const flags = ['--max-budget-usd=5', '--fallback-model=claude-haiku-4-5', `--add-dir=${more}`, `--mcp-config=${join(more, 'mcp.json')}`];
      expect(args).toEqual(expect.arrayContaining(flags));
    });

    scenario('a usage limit is told with the time of its reset, and is over when the agent says so', async (bench) => {
      const account = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake' };
      const { id } = await bench.create('@LIMIT 1800000000', { env: account });
      const done = await bench.event(id, 'turn.completed');
      expect(done.isError).toBe(true);
      expect((await bench.session(id)).limit).toEqual({ status: 'rejected', kind: 'five_hour', resetsAt: '2027-01-15T08:00:00.000Z' });
      await ask(bench, id, '@PLAIN again');
      expect((await bench.session(id)).limit).toBeUndefined();
    });

    scenario('an idle agent sleeps, gives its memory back, and wakes with its conversation; a restarted server shows the same', async (bench) => {
      const claude = claudePath(version);
      if ('skip' in claude) return;
      const { id } = await bench.create('@PLAIN what I said before');
      await bench.event(id, 'session.status', (event) => event.status === 'idle');
      const awake = await measured(bench, id, 50 * 1024 * 1024);
      const env = { ...claudeEnv(claude.path, bench.model.url), ...ENV, SIGNALBOX_IDLE_MINUTES: '0.01' };
      await bench.server.restart({ env });
      await bench.event(id, 'session.status', (event) => event.status === 'sleeping');
      const asleep = await bench.session(id);
      expect(asleep).toMatchObject({ status: 'sleeping', control: 'none' });
      expect([asleep.pid, asleep.rssBytes]).toEqual([undefined, undefined]);
      expect(existsSync(`/proc/${awake.pid}`)).toBe(false);
      expect(processesOfRun(bench, (await bench.event(id, 'run.opened')).run)).toEqual([]);
      await bench.server.restart();
      expect(await bench.session(id)).toEqual(asleep);
      await ask(bench, id, '@PLAIN and now');
      expect(JSON.stringify(await lastRequest(bench, asleep))).toContain('what I said before');
    });
  });
}

async function put(bench: LiveBench, id: string, what: string, body: object): Promise<void> {
  const answer = await api(bench.server, 'PUT', `/api/sessions/${id}/${what}`, body);
  expect(answer).toMatchObject({ status: 202 });
}

/** Sends a message and waits for the end of its turn. */
async function ask(bench: LiveBench, id: string, text: string): Promise<void> {
  const commandId = await bench.send(id, text);
  const done = await bench.event(id, 'turn.completed', (event) => event.commandId === commandId);
  expect(done.isError).toBe(false);
}

const Body = z.record(z.string(), z.unknown());

/** What the agent asked of the model last, in this conversation. */
async function lastRequest(bench: LiveBench, { agentSessionId }: Session): Promise<z.infer<typeof Body>> {
  const requests = (await bench.model.requests()).filter((request) => request.sessionId === agentSessionId && request.scene !== undefined);
  return Body.parse(requests.at(-1)?.body);
}

/** Memory is measured every 5 seconds, and the first time perhaps before the program has grown. */
const measured = (bench: LiveBench, id: string, bytes: number): Promise<Session> =>
  waitFor(`memory of ${id} over ${bytes} bytes`, async () => {
    const session = await bench.session(id);
    return (session.rssBytes ?? 0) > bytes && session;
  });

/** Whatever an agent starts inherits the mark of its run. */
const processesOfRun = (bench: LiveBench, run: string): readonly number[] =>
  processesOf(bench.server.home).filter((pid) => existsSync(`/proc/${pid}/environ`) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(run));

const HostFile = z.object({ args: z.array(z.string()) });
const argumentsOf = (bench: LiveBench, id: string, run: string): readonly string[] =>
  HostFile.parse(JSON.parse(readFileSync(join(bench.server.data, 'sessions', id, run, 'host.json'), 'utf8'))).args;
