import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codex } from '../../src/agents/codex/index.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { PastList } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { type CodexBench, startCodexBench } from '../support/codex-bench.ts';
import { readLines, toldBy } from '../support/past-lines.ts';

describe('a conversation that Codex 0.166.0 had in a terminal', () => {
  let opened: CodexBench | { readonly skip: string };
  beforeAll(async () => {
    opened = await startCodexBench('0.166.0');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });

  test('is listed, gone on with here, and gone on with in the terminal again; each message is in the record once, under the id that was told', async ({
    skip,
  }) => {
    if ('skip' in opened) return skip(opened.skip);
    const bench = opened;
    await bench.inTerminal('@PLAIN terminal-one');
    const [listed] = (await api<PastList>(bench.server, 'GET', `/api/agents/codex/past?cwd=${encodeURIComponent(bench.server.project)}`)).body.conversations;
    expect(listed).toMatchObject({ title: '@PLAIN terminal-one', cwd: bench.server.project, model: 'scripted' });
    expect((await api<PastList>(bench.server, 'GET', `/api/agents/codex/past?cwd=${encodeURIComponent(bench.server.home)}`)).body.conversations).toEqual([]);

    const session = await goOn(bench, { resume: 'latest', prompt: '@PLAIN here-two' });
    await bench.event(session.id, 'turn.completed');
    expect(said(await bench.events(session.id))).toEqual([
      ['@PLAIN terminal-one', 'elsewhere'],
      ['@PLAIN here-two', 'person'],
    ]);
    expect(await bench.event(session.id, 'session.started')).toMatchObject({ agentSessionId: listed?.agentSessionId });
    await api(bench.server, 'POST', `/api/sessions/${session.id}/stop`);
    await bench.event(session.id, 'session.exited');

    await bench.inTerminal('@PLAIN terminal-three', 'resume', String(listed?.agentSessionId));
    await bench.event(session.id, 'user.message', (event) => event.text === '@PLAIN terminal-three' && event.origin === 'elsewhere');
    await bench.send(session.id, '@PLAIN here-four');
    await bench.event(session.id, 'assistant.text', ({ text }) => text === 'Plain answer to: here-four');
    const all = ['@PLAIN terminal-one', '@PLAIN here-two', '@PLAIN terminal-three', '@PLAIN here-four'];
    expect(said(await bench.events(session.id)).map(([text]) => text)).toEqual(all);

    const kept = toldBy(readLines(codex.archive ?? expect.fail('Codex has an archive'), readFileSync(fileOf(bench, String(listed?.agentSessionId)), 'utf8')));
    expect(kept.flatMap((one) => (one.type === 'user.message' ? [one.text] : []))).toEqual(all);
    const items = kept.flatMap((one) => (isMessage(one) && 'itemId' in one ? [one.itemId] : []));
    expect(items).toEqual((await bench.events(session.id)).flatMap((event) => (isMessage(event) ? [event.itemId] : [])));
  });

  test('is copied: the copy shows and knows what was said in it', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const bench = opened;
    await bench.inTerminal('@PLAIN of zebras');
    const copy = await goOn(bench, { resume: 'latest', fork: true, prompt: '@PLAIN copied' });
    await bench.event(copy.id, 'turn.completed');
    expect(said(await bench.events(copy.id)).map(([text]) => text)).toEqual(['@PLAIN of zebras', '@PLAIN copied']);
    expect(await heard(bench, 'copied')).toContain('of zebras');
  });
});

const goOn = async (bench: CodexBench, how: object): Promise<Session> =>
  (await api<Session>(bench.server, 'POST', '/api/sessions', { agent: 'codex', cwd: bench.server.project, ...how })).body;

const heard = async (bench: CodexBench, words: string) =>
  (await bench.model.requests()).map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes(words));

const isMessage = ({ type }: Pick<Event, 'type'>) => type === 'user.message' || type === 'assistant.text' || type === 'assistant.thinking';
const said = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'user.message' ? [[event.text, event.origin]] : []));

function fileOf(bench: CodexBench, id: string): string {
  const sessions = join(bench.folder, 'sessions');
  const [name] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(`${id}.jsonl`));
  return join(sessions, name ?? expect.fail(`there is no record of ${id}`));
}
