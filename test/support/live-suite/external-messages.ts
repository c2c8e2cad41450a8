import { expect } from 'vitest';
import type { HitList } from '../../../src/protocol/api/search.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { api } from '../client.ts';
import { waitFor } from '../wait-for.ts';
import { answered, modelRequestWith, type Scenario, type ScenarioContext, sendAndFollow } from './exchange.ts';
import type { LiveSetup } from './live-setup.ts';
import { read } from './messages.ts';

/** Conversations that were started without Signalbox. */
export function externalScenarios(scenario: Scenario): void {
  scenario('had a conversation in a terminal, which is listed, found, and continued here', async (context) => {
    const { agent, setup } = context;
    if (setup.inTerminal === undefined) return expectResumeRefused(context);
    await setup.inTerminal('@PLAIN terminal-zebra');
    const listed = await waitFor('the conversation in the list', () => listedAs(setup, 'terminal-zebra'));
    expect(listed).toMatchObject({ agent: agent.id, cwd: setup.server.project });
    await waitFor('a hit', async () => (await hits(setup, 'zebra')).includes(listed.id));
    const exchange = await sendAndFollow(setup, listed.id, '@PLAIN here-two');
    expect(await answered(exchange)).toMatchObject({ isError: false });
    expect(await modelRequestWith(setup, 'here-two')).toContain('terminal-zebra');
    expect(read(await setup.events(listed.id)).map(([, text]) => text)).toEqual([
      '@PLAIN terminal-zebra',
      'Plain answer to: terminal-zebra',
      '@PLAIN here-two',
      'Plain answer to: here-two',
    ]);
    expect((await setup.session(listed.id)).agentSessionId).toBe(listed.agentSessionId);
  });
}

/** Signalbox doesn't read its records: it says that nothing is known, and starts no other conversation instead. */
async function expectResumeRefused({ agent, setup }: ScenarioContext): Promise<void> {
  const body = { agent: agent.id, cwd: setup.server.project, resume: 'latest' };
  const { status, body: refusal } = await api<{ error: { code: string } }>(setup.server, 'POST', '/api/sessions', body);
  expect([status, refusal.error.code]).toEqual([422, 'cannot-resume']);
}

/** Listed once the terminal has closed it. */
async function listedAs(setup: LiveSetup, words: string): Promise<Session | undefined> {
  const { sessions } = (await api<{ sessions: Session[] }>(setup.server, 'GET', '/api/sessions')).body;
  return sessions.find(({ title, control }) => title.includes(words) && control === 'none');
}

const hits = async (setup: LiveSetup, word: string): Promise<readonly string[]> =>
  (await api<HitList>(setup.server, 'GET', `/api/search?q=${word}`)).body.hits.map(({ sessionId }) => sessionId);
