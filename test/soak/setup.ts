import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv } from '../support/agents/claude-setup.ts';
import { allEvents } from '../support/all-events.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { api } from '../support/client.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { spawnScriptedModel } from '../support/scripted-model/spawn.ts';
import { openWatchedPage, type WatchedPage } from './page.ts';
import type { AgentKind } from './plan.ts';

export interface Actor {
  readonly id: string;
  readonly agent: AgentKind;
}

/** The built server, its agents, a connection that can be cut, and a page at the other end of it. */
export interface Setup {
  readonly server: TestServer;
  readonly proxy: FaultProxy;
  readonly watched: WatchedPage;
  readonly actors: readonly Actor[];
  session(id: string): Promise<Session>;
  events(id: string): Promise<readonly Event[]>;
  close(): Promise<void>;
}

/** Slow enough to cut the connection mid-sentence. */
const PACE = { DEMO_AGENT_PACE_MS: '5' };
const AGENT_IDS: Readonly<Record<AgentKind, string>> = { demo: 'demo', claude: 'claude-code' };
const CLAUDE_VERSION = '2.1.325';

/** Includes the real CLI if it is installed. */
export function installedAgents(): readonly AgentKind[] {
  return 'path' in claudePath(CLAUDE_VERSION) ? ['demo', 'demo', 'claude'] : ['demo', 'demo'];
}

export async function openSetup(chromium: string, agents: readonly AgentKind[]): Promise<Setup> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    return { ...(await openParts(chromium, agents, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openParts(chromium: string, agents: readonly AgentKind[], closers: (() => Promise<unknown>)[]): Promise<Omit<Setup, 'close'>> {
  const env = agents.includes('claude') ? await openModel(closers) : {};
  const server = await startServer({ from: 'dist', env: { ...PACE, ...env } });
  closers.push(() => server.close());
  const proxy = await startFaultProxy(server.port);
  closers.push(() => proxy.close());
  for (const command of ['ls', 'echo *']) await allow(server, command);
  const actors = await Promise.all(agents.map(async (agent, index) => ({ agent, id: await create(server, agent, index) })));
  const browser = await launchChromium(chromium);
  closers.push(() => browser.close());
  const watched = await openWatchedPage(browser, `http://127.0.0.1:${proxy.port}`, server.token);
  const session = async (id: string) => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
  return { server, proxy, watched, actors, session, events: (id) => allEvents(server, id) };
}

async function openModel(closers: (() => Promise<unknown>)[]): Promise<Readonly<Record<string, string>>> {
  const model = await spawnScriptedModel();
  closers.push(() => model.close());
  const claude = claudePath(CLAUDE_VERSION);
  return 'path' in claude ? claudeEnv(claude.path, model.url) : {};
}

async function allow(server: TestServer, command: string): Promise<void> {
  const answer = await api(server, 'POST', '/api/rules', { behavior: 'allow', tool: 'Bash', command, scope: { kind: 'everywhere' } });
  if (answer.status !== 201) throw new Error(`could not create a rule for ${command}: ${JSON.stringify(answer.body)}`);
}

async function create(server: TestServer, agent: AgentKind, index: number): Promise<string> {
  const body = { agent: AGENT_IDS[agent], cwd: server.project, title: `Line ${index + 1}`, allowedTools: ['Bash'] };
  const answer = await api<Session>(server, 'POST', '/api/sessions', body);
  if (answer.status !== 201) throw new Error(`could not create a session with ${agent}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}
