import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { archivedIdOf } from '../../src/agents/port/archived-id.ts';
import { type Command, isRefusal, type Receipt, type Refusal } from '../../src/protocol/command.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { AgentId, CommandId, SessionId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { type ClaudeVersion, claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv } from '../support/agents/claude-setup.ts';
import { type EngineProcess, startEngine } from '../support/engine/engine-process.ts';
import { endProcessesOf } from '../support/processes.ts';
import { type SpawnedModel, spawnScriptedModel } from '../support/scripted-model/spawn.ts';

const CLAUDE = 'claude-code' as AgentId;
const LIMIT_MS = 60_000;
const POLL_MS = 50;

/** The real CLI, in a terminal and under an engine that can be killed, with the same home folder. */
class Setup {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-past-')));
  readonly project = join(this.home, 'project');
  private running: EngineProcess | undefined;

  constructor(
    private readonly cli: string,
    readonly model: SpawnedModel,
  ) {
    mkdirSync(this.project);
  }

  async start(): Promise<void> {
    this.running = await startEngine(join(this.home, 'data'), this.home, this.project, claudeEnv(this.cli, this.model.url));
  }

  get engine(): EngineProcess {
    if (this.running === undefined) throw new Error('no engine was started');
    return this.running;
  }

  async kill9(): Promise<void> {
    await this.engine.kill9();
  }

  /** Runs a turn in a terminal, with the CLI alone and nothing of ours. */
  async terminal(...args: readonly string[]): Promise<void> {
    const env = { PATH: process.env.PATH ?? '', HOME: this.home, ...claudeEnv(this.cli, this.model.url) };
    const child = spawn(this.cli, ['-p', ...args], { cwd: this.project, env, stdio: ['ignore', 'ignore', 'inherit'] });
    expect((await once(child, 'close'))[0]).toBe(0);
  }

  async submit(command: object): Promise<Receipt> {
    const answer = await this.engine.ask<Receipt | Refusal>({ submit: { commandId: randomUUID() as CommandId, ...command } as Command });
    if (isRefusal(answer)) throw new Error(answer.message);
    return answer;
  }

  events(id: SessionId): Promise<readonly Event[]> {
    return this.engine.ask({ events: id });
  }

  /** The whole transcript: events of the record, then those of the journal. */
  async transcript(id: SessionId): Promise<readonly Event[]> {
    const base = (await this.engine.ask<Session>({ session: id })).past?.lastSeq ?? 0;
    const past = await this.engine.ask<readonly Event[]>({ past: id });
    return [...past.filter((event) => event.seq <= base), ...(await this.events(id))];
  }

  async until(what: string, id: SessionId, matches: (events: readonly Event[]) => boolean): Promise<void> {
    const deadline = performance.now() + LIMIT_MS;
    for (; !matches(await this.events(id)); await sleep(POLL_MS)) {
      if (performance.now() > deadline) throw new Error(`Timed out after ${LIMIT_MS} ms waiting for ${what}`);
    }
  }

  async say(sessionId: SessionId, text: string): Promise<void> {
    await this.submit({ type: 'input.send', sessionId, text });
    await this.until(`the answer to ${text}`, sessionId, (events) =>
      events.some((event) => event.type === 'user.message' && event.text === text && isOver(events, event.seq)),
    );
    await this.submit({ type: 'session.stop', sessionId });
    await this.until(
      'the end of its process',
      sessionId,
      (events) => events.findLast((event) => /^(run.opened|session.exited)$/.test(event.type))?.type === 'session.exited',
    );
  }

  async grown(agentSessionId: string): Promise<void> {
    await this.engine.ask({ grown: { agent: CLAUDE, agentSessionId } });
  }

  async close(): Promise<void> {
    await this.running?.kill9();
    await endProcessesOf(this.home);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    await this.model.close();
  }
}

const isOver = (events: readonly Event[], seq: number): boolean => events.some((event) => event.seq > seq && event.type === 'turn.completed');
const textsOf = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const plain = (word: string): readonly string[] => [`@PLAIN ${word}`, `Plain answer to: ${word}`];

for (const version of ['2.1.197', '2.1.325'] as const satisfies readonly ClaudeVersion[]) {
  describe(`Claude Code ${version}, here and in a terminal`, () => {
    let setup: Setup | undefined;
    afterAll(() => setup?.close());

    test('one conversation is one session with one transcript, wherever it continues, even when the server is killed', { timeout: 5 * LIMIT_MS }, async ({
      skip,
    }) => {
      const cli = claudePath(version);
      if ('skip' in cli) return skip(cli.skip);
      const opened = new Setup(cli.path, await spawnScriptedModel());
      setup = opened;
      const id = randomUUID();
      const session = archivedIdOf(CLAUDE, id);
      await opened.terminal('@PLAIN one', '--session-id', id);
      await opened.terminal('@BASH echo two', '--resume', id);

      await opened.start();
      await opened.say(session, '@PLAIN three');
      const first = [...plain('one'), '@BASH echo two', 'Ran it.', ...plain('three')];
      expect(textsOf(await opened.transcript(session))).toEqual(first);
      expect((await opened.events(session)).filter((event) => event.elsewhere || event.inherited)).toEqual([]);

      await opened.kill9();
      await opened.terminal('@PLAIN four', '--resume', id);
      await opened.start();
      opened.engine.say({ grown: { agent: CLAUDE, agentSessionId: id } });
      await opened.kill9();
      await opened.start();
      await opened.grown(id);
      await opened.grown(id);
      expect(textsOf(await opened.transcript(session))).toEqual([...first, ...plain('four')]);

      await opened.say(session, '@PLAIN five');
      const events = await opened.transcript(session);
      expect(textsOf(events)).toEqual([...first, ...plain('four'), ...plain('five')]);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
      const elsewhere = events.filter((event) => event.elsewhere);
      expect(textsOf(elsewhere)).toEqual(plain('four'));
      expect(elsewhere.filter((event) => event.type === 'usage.reported').length).toBeGreaterThan(0);
      const asked = (await opened.model.requests()).findLast((one) => JSON.stringify(one.body).includes('@PLAIN five'));
      for (const word of ['one', 'three', 'four']) expect(JSON.stringify(asked?.body)).toContain(`@PLAIN ${word}`);

      const one = events.find((event) => event.type === 'assistant.text');
      await opened.terminal('@PLAIN beside', '--resume', id, '--resume-session-at', one?.uuid ?? '');
      await opened.grown(id);
      await opened.grown(id);
      const after = (await opened.events(session)).slice((await opened.events(session)).findIndex((event) => event.seq > (events.at(-1)?.seq ?? 0)));
      expect(textsOf(after)).toEqual(plain('beside'));
      expect(after.filter((event) => event.type === 'context.forgotten')).toHaveLength(2);
      expect(after.filter((event) => event.type === 'notice.shown')).toHaveLength(1);
    });
  });
}
