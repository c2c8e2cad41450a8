import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Event, EventOf, EventType } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { type ClaudeVersion, claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv } from '../support/agents/claude-setup.ts';
import { type ClaudeTerminal, openClaudeTerminal } from '../support/agents/claude-terminal.ts';
import { allEvents } from '../support/all-events.ts';
import { api } from '../support/client.ts';
import { commandLine, startServer, type TestServer } from '../support/real-server.ts';
import { type SpawnedModel, spawnScriptedModel } from '../support/scripted-model/spawn.ts';
import { waitFor } from '../support/wait-for.ts';

const SETTINGS = '{\r\n  "cleanupPeriodDays": 30,\r\n  "hooks": {\r\n    "Stop": [ {"hooks":[{"type":"command","command":"true"}]} ]\r\n  }\r\n}\r\n';

interface Setup {
  readonly server: TestServer;
  readonly model: SpawnedModel;
  readonly terminal: ClaudeTerminal;
  readonly settings: string;
}

async function open(version: ClaudeVersion): Promise<Setup | { readonly skip: string }> {
  const cli = claudePath(version);
  if ('skip' in cli) return cli;
  const model = await spawnScriptedModel();
  const env = claudeEnv(cli.path, model.url);
  const server = await startServer({ env });
  const settings = join(server.home, '.claude', 'settings.json');
  mkdirSync(join(server.home, '.claude'));
  writeFileSync(settings, SETTINGS);
  expect(hooks(server, 'install').status).toBe(0);
  return { server, model, settings, terminal: openClaudeTerminal(server, cli.path, env) };
}

const hooks = (server: TestServer, verb: string) =>
  spawnSync(process.execPath, [...commandLine(), 'hooks', verb, '--data', server.data], {
    env: { PATH: process.env.PATH ?? '', HOME: server.home },
    encoding: 'utf8',
  });

for (const version of ['2.1.197', '2.1.325'] as const) {
  describe(`hooks of Claude Code ${version} in a terminal`, () => {
    let setup: Setup | undefined;
    afterAll(async () => {
      await setup?.server.close();
      await setup?.model.close();
    });

    test('[R530] [R531] [R536] the phone answers, the terminal answers, a message arrives: whoever is first, the other side knows', async ({ skip }) => {
      const opened = await open(version);
      if ('skip' in opened) return skip(opened.skip);
      setup = opened;
      const { server, terminal, settings } = setup;
      const file = (name: string) => join(server.project, name);

      await terminal.prompt('Do @WRITE one.txt first');
      const card = await waitFor('a card', async () => (await waiting(server))[0]);
      expect(card).toMatchObject({ agent: 'claude-code', tool: 'Write', kind: 'tool', subject: { kind: 'edit' } });
      const { sessionId: id } = card;
      expect((await session(server, id)).status).toBe('waiting');
      expect((await answer(server, card, { behavior: 'allow' })).status).toBe(200);
      await waitFor('the file that the phone allowed', () => existsSync(file('one.txt')));
      expect((await eventOf(server, id, 'hook.answered')).by).toBe('person');
      await waitFor('the session to be idle', async () => (await session(server, id)).status === 'idle');
      expect((await session(server, id)).control).toBe('elsewhere');

      await terminal.prompt('Do @WRITE two.txt second');
      const second = await waitFor('a card', async () => (await waiting(server))[0]);
      await terminal.shows('Do you want to create two.txt');
      await terminal.pressUntil('\r', 'the file that the terminal allowed', () => existsSync(file('two.txt')));
      await waitFor('the card to close', async () => (await waiting(server)).length === 0);
      const late = await answer(server, second, { behavior: 'deny' });
      expect([late.status, JSON.stringify(late.body)]).toEqual([409, expect.stringContaining('answered in the terminal')]);

      await terminal.prompt('Do @WRITE three.txt third');
      await waitFor('the third card', async () => (await waiting(server))[0]);
      await terminal.shows('Do you want to create three.txt');
      await terminal.pressUntil('\u001b', 'the card to close after Esc', async () => (await waiting(server)).length === 0);

      const sent = await api<{ commandId: string }>(server, 'POST', `/api/sessions/${id}/input`, { text: 'Do @PLAIN from the page', commandId: 'from-page-1' });
      expect(sent.status).toBe(202);
      await terminal.prompt('Do @PLAIN fourth');
      await eventOf(server, id, 'input.consumed');
      await waitFor('the answer to the message of the page', async () =>
        (await events(server, id)).some((event) => event.type === 'assistant.text' && event.text.includes('from the page')),
      );
      const said = (await events(server, id)).filter((event) => event.type === 'user.message' && event.text.includes('from the page'));
      expect(said).toMatchObject([{ commandId: 'from-page-1', origin: 'person' }]);
      expect((await session(server, id)).queue).toEqual([]);

      await terminal.quit();
      await waitFor('the end of the terminal', async () => (await session(server, id)).control === 'none');
      expect((await events(server, id)).filter((event) => event.type === 'hook.reported').map((event) => event.event)).toContain('SessionEnd');
      expect(hooks(server, 'remove').status).toBe(0);
      expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
    });
  });
}

const waiting = async (server: TestServer) => (await api<{ permissions: WaitingPermission[] }>(server, 'GET', '/api/permissions')).body.permissions;
const session = async (server: TestServer, id: string) => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
const events = (server: TestServer, id: string): Promise<readonly Event[]> => allEvents(server, id);
const answer = (server: TestServer, { requestId }: WaitingPermission, body: object) =>
  api(server, 'POST', `/api/permissions/${encodeURIComponent(requestId)}`, body);

const eventOf = <T extends EventType>(server: TestServer, id: string, type: T): Promise<EventOf<T>> =>
  waitFor(`${type} in ${id}`, async () => (await events(server, id)).find((event): event is EventOf<T> => event.type === type));
