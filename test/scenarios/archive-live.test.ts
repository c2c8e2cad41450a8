import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import { archivedIdOf } from '../../src/agents/port/archived-id.ts';
import type { KeptState, RestoreAnswer } from '../../src/protocol/api/archive.ts';
import type { HitList } from '../../src/protocol/api/search.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { type ClaudeVersion, claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv, startClaudeSetup } from '../support/agents/claude-setup.ts';
import { api, connectClient, eventsIn } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { waitFor } from '../support/wait-for.ts';

const LIMIT_MS = 60_000;
const SCENARIO_LIMIT_MS = 5 * LIMIT_MS;

/** Runs a turn in a terminal, with the CLI alone and nothing of ours. Returns what it printed. */
function inTerminal(setup: LiveSetup, version: ClaudeVersion, args: readonly string[]): Promise<string> {
  const found = claudePath(version);
  if ('skip' in found) throw new Error(found.skip);
  const env = { PATH: process.env.PATH ?? '', HOME: setup.server.home, ...claudeEnv(found.path, setup.model.url) };
  const child = spawn(found.path, ['-p', ...args], { cwd: setup.server.project, env });
  child.stdin.end();
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return new Promise((resolve) => child.once('close', () => resolve(printed)));
}

const textsOf = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));

const search = async (setup: LiveSetup, q: string): Promise<HitList> =>
  (await api<HitList>(setup.server, 'GET', `/api/search?q=${encodeURIComponent(q)}`)).body;

/** The file in which the CLI stores the conversation. */
function recordOf(setup: LiveSetup, id: string): string {
  const projects = join(setup.server.home, '.claude/projects');
  const folder = readdirSync(projects).find((name) => existsSync(join(projects, name, `${id}.jsonl`)));
  return join(projects, folder ?? 'nowhere', `${id}.jsonl`);
}

const waitUntil = (what: string, condition: () => Promise<boolean>): Promise<unknown> => waitFor(what, condition, LIMIT_MS);

for (const version of ['2.1.197', '2.1.325'] as const) {
  describe(`a Claude Code ${version} conversation from a terminal`, () => {
    let setup: LiveSetup | { readonly skip: string };
    beforeAll(async () => {
      setup = await startClaudeSetup(version);
    });
    afterAll(async () => {
      if ('close' in setup) await setup.close();
    });

    test('appears, is found by search, continues here and in the terminal as one transcript, and is restored after its file is deleted', {
      timeout: SCENARIO_LIMIT_MS,
    }, async ({ skip }) => {
      if ('skip' in setup) return skip(setup.skip);
      const { server } = setup;
      const here = setup;
      const agentSessionId = randomUUID();
      const id = archivedIdOf(claudeCode.id, agentSessionId);
      const session = async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
      const texts = async () => textsOf(await here.events(id));

      // A terminal starts it; a page that is subscribed to the list, and then to the session, sees it without polling.
      const page = await connectClient(server);
      page.send({ type: 'subscribe', sessionId: '*' });
      await inTerminal(setup, version, ['@PLAIN terminal-one', '--session-id', agentSessionId]);
      await page.waitFor((frame) => frame.type === 'status' && frame.sessionId === id, LIMIT_MS);
      // The session is shown as open elsewhere while the terminal runs, and no longer within seconds after it ends.
      await waitUntil('the session to be open nowhere', async () => (await session()).control === 'none');
      expect(await session()).toMatchObject({ title: '@PLAIN terminal-one', cwd: server.project, agentSessionId });
      page.send({ type: 'subscribe', sessionId: id });
      await page.waitFor((frame) => frame.type === 'snapshot' && frame.sessionId === id, LIMIT_MS);
      // A page subscribes again whenever the server asks it to because the record was rewritten or grew too fast.
      const subscribeAgain = async () => {
        for (let answered = 0; ; answered++) {
          await page.waitFor(() => page.frames.filter(({ type }) => type === 'resubscribe').length > answered, SCENARIO_LIMIT_MS);
          page.send({ type: 'subscribe', sessionId: id });
        }
      };
      void subscribeAgain().catch(() => undefined);
      await inTerminal(setup, version, ['@BASH echo terminal-two', '--resume', agentSessionId]);
      await page.waitFor((frame) => eventsIn(frame, id).some((event) => event.type === 'assistant.text' && event.text === 'Ran it.'), LIMIT_MS);
      const first = ['@PLAIN terminal-one', 'Plain answer to: terminal-one', '@BASH echo terminal-two', 'Ran it.'];
      expect(await texts()).toEqual(first);

      // Search finds it, at the exact event.
      await waitUntil('the hit', async () => (await search(here, 'terminal-two kind:output')).hits.length > 0);
      const [hit] = (await search(here, 'terminal-two kind:output')).hits;
      expect(hit).toMatchObject({ sessionId: id, kind: 'output', agent: 'claude-code', project: 'project' });
      const events = await setup.events(id);
      expect(events.find(({ seq }) => seq === hit?.seq)).toMatchObject({ type: 'tool.completed', output: 'terminal-two' });

      // It continues here, under the same id, and the server is killed in the meantime.
      await setup.send(id, '@PLAIN here-three');
      await setup.event(id, 'assistant.text', (event) => event.text.includes('here-three'));
      await server.restart();
      const second = [...first, '@PLAIN here-three', 'Plain answer to: here-three'];
      expect(await texts()).toEqual(second);
      const numbers = (await setup.events(id)).map(({ seq }) => seq);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(events.every(({ seq }, index) => numbers[index] === seq)).toBe(true);

      // And in the terminal again: one transcript, everything once.
      await api(server, 'POST', `/api/sessions/${id}/stop`, {});
      await waitUntil('the end of our process', async () => (await session()).control === 'none');
      await inTerminal(setup, version, ['@PLAIN terminal-four', '--resume', agentSessionId]);
      const third = [...second, '@PLAIN terminal-four', 'Plain answer to: terminal-four'];
      await waitUntil('the messages from the terminal', async () => (await texts()).length >= third.length);
      expect(await texts()).toEqual(third);
      await waitUntil('the hit in the terminal messages', async () => (await search(here, 'terminal-four')).hits.some((one) => one.sessionId === id));
      const list = (await api<{ sessions: Session[] }>(server, 'GET', '/api/sessions')).body.sessions;
      expect(list.filter((one) => one.agentSessionId === agentSessionId)).toHaveLength(1);

      // The file is deleted by hand, then restored from the kept copy.
      const record = recordOf(setup, agentSessionId);
      await waitUntil(
        'a complete kept copy',
        async () => (await api<KeptState>(server, 'GET', '/api/kept')).body.files > 0 && (await session()).past?.kept === true,
      );
      rmSync(record);
      await waitUntil('the deletion to be noticed', async () => (await session()).past?.gone === true);
      expect(await texts()).toEqual(third);
      const restored = await api<RestoreAnswer>(server, 'POST', `/api/sessions/${id}/restore`);
      expect(restored).toMatchObject({ status: 200, body: { paths: expect.arrayContaining([record]) } });
      expect(await inTerminal(setup, version, ['@PLAIN terminal-five', '--resume', agentSessionId])).toContain('terminal-five');
      const sent = JSON.stringify((await setup.model.requests()).findLast((one) => JSON.stringify(one.body).includes('terminal-five'))?.body);
      for (const word of ['terminal-one', 'here-three', 'terminal-four']) expect(sent).toContain(word);
      await waitUntil('the messages after the restore', async () => (await texts()).length >= third.length + 2);
      expect(await texts()).toEqual([...third, '@PLAIN terminal-five', 'Plain answer to: terminal-five']);
      page.close();
    });
  });
}
