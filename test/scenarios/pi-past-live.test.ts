import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pi } from '../../src/agents/pi/index.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { PastList } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { readLines, toldBy } from '../support/past-lines.ts';
import { type PiBench, startPiBench } from '../support/pi-bench.ts';

for (const version of ['0.73.1', '0.87.1'] as const) {
  describe(`a conversation that Pi ${version} had in a terminal`, () => {
    let opened: PiBench | { readonly skip: string };
    beforeAll(async () => {
      opened = await startPiBench(version);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });

    test('is listed, gone on with here, and gone on with in the terminal again; each message is in the file once, under the id that was told', async ({
      skip,
    }) => {
      if ('skip' in opened) return skip(opened.skip);
      const bench = opened;
      await bench.inTerminal('@PLAIN terminal-one');
      const [listed] = (await api<PastList>(bench.server, 'GET', `/api/agents/pi/past?cwd=${encodeURIComponent(bench.server.project)}`)).body.conversations;
      expect(listed).toMatchObject({ title: '@PLAIN terminal-one', cwd: bench.server.project, model: 'local/scripted' });

      const session = (
        await api<Session>(bench.server, 'POST', '/api/sessions', {
          agent: 'pi',
          cwd: bench.server.project,
          resume: listed?.agentSessionId,
          prompt: '@PLAIN here-two',
        })
      ).body;
      await bench.event(session.id, 'turn.completed');
      const events = await bench.events(session.id);
      expect(said(events)).toEqual([
        ['@PLAIN terminal-one', 'elsewhere', undefined],
        ['@PLAIN here-two', 'person', undefined],
      ]);
      expect(await bench.event(session.id, 'session.started')).toMatchObject({ agentSessionId: listed?.agentSessionId });
      expect((await bench.model.requests()).some(({ body }) => JSON.stringify(body).includes('"signalbox":'))).toBe(false);
      await api(bench.server, 'POST', `/api/sessions/${session.id}/stop`);
      await bench.event(session.id, 'session.exited');

      await bench.inTerminal('@PLAIN terminal-three', '--session', String(listed?.agentSessionId));
      const kept = toldBy(readLines(pi.archive ?? expect.fail('Pi has an archive'), readFileSync(fileOf(bench, String(listed?.agentSessionId)), 'utf8')));
      expect(kept.flatMap((one) => (one.type === 'user.message' ? [one.text] : []))).toEqual([
        '@PLAIN terminal-one',
        '@PLAIN here-two',
        '@PLAIN terminal-three',
      ]);
      const items = kept.flatMap((one) => ('itemId' in one ? [one.itemId] : []));
      expect(new Set(items).size).toBe(items.length);
      const told = (await bench.events(session.id)).flatMap((event) => (isMessage(event) ? [event.itemId] : []));
      expect(items.slice(0, told.length)).toEqual(told);
    });
  });
}

const isMessage = (event: Event) => event.type === 'user.message' || event.type === 'assistant.text' || event.type === 'assistant.thinking';
const said = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'user.message' ? [[event.text, event.origin, event.inherited]] : []));

function fileOf(bench: PiBench, id: string): string {
  const sessions = join(bench.folder, 'sessions');
  const [name] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(`${id}.jsonl`));
  return join(sessions, name ?? expect.fail('Pi keeps a file'));
}
