import { expect } from 'vitest';
import type { HitList } from '../../../src/protocol/api/search.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { api } from '../client.ts';
import { waitFor } from '../wait-for.ts';
import type { LiveBench } from './bench.ts';
import { answered, heardWith, type Scenario, type Stage, sayIn } from './exchange.ts';
import { read } from './speaking.ts';

/** What was begun without Signalbox. */
export function elsewhere(scenario: Scenario): void {
  scenario('had a conversation in a terminal, which is listed, found, and gone on with here', async (stage) => {
    const { agent, bench } = stage;
    if (bench.inTerminal === undefined) return refusesToGoOn(stage);
    await bench.inTerminal('@PLAIN terminal-zebra');
    const listed = await waitFor('the conversation in the list', () => listedAs(bench, 'terminal-zebra'));
    expect(listed).toMatchObject({ agent: agent.id, cwd: bench.server.project });
    await waitFor('a hit', async () => (await hits(bench, 'zebra')).includes(listed.id));
    const exchange = await sayIn(bench, listed.id, '@PLAIN here-two');
    expect(await answered(exchange)).toMatchObject({ isError: false });
    expect(await heardWith(bench, 'here-two')).toContain('terminal-zebra');
    expect(read(await bench.events(listed.id)).map(([, text]) => text)).toEqual([
      '@PLAIN terminal-zebra',
      'Plain answer to: terminal-zebra',
      '@PLAIN here-two',
      'Plain answer to: here-two',
    ]);
    expect((await bench.session(listed.id)).agentSessionId).toBe(listed.agentSessionId);
  });
}

/** Its records are not read: it is said that nothing is known, and no other conversation is begun in its place. */
async function refusesToGoOn({ agent, bench }: Stage): Promise<void> {
  const body = { agent: agent.id, cwd: bench.server.project, resume: 'latest' };
  const { status, body: refusal } = await api<{ error: { code: string } }>(bench.server, 'POST', '/api/sessions', body);
  expect([status, refusal.error.code]).toEqual([422, 'cannot-resume']);
}

/** When the terminal no longer holds it. */
async function listedAs(bench: LiveBench, words: string): Promise<Session | undefined> {
  const { sessions } = (await api<{ sessions: Session[] }>(bench.server, 'GET', '/api/sessions')).body;
  return sessions.find(({ title, control }) => title.includes(words) && control === 'none');
}

const hits = async (bench: LiveBench, word: string): Promise<readonly string[]> =>
  (await api<HitList>(bench.server, 'GET', `/api/search?q=${word}`)).body.hits.map(({ sessionId }) => sessionId);
