import { join } from 'node:path';
import { THREADS } from '../../scripts/lib/threads.mjs';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { claudePath } from '../support/agents/agent-clis.ts';
import { claudeEnv } from '../support/agents/claude-setup.ts';
import { standIn } from '../support/agents/stand-in-program.ts';
import { allEvents } from '../support/all-events.ts';
import { bundle } from '../support/bundle.ts';
import { api } from '../support/client.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { type SpawnedModel, spawnScriptedModel } from '../support/scripted-model/spawn.ts';
import { STAND_IN_VARIABLE } from '../support/stand-in-adapter/index.ts';
import { type Browser, openBrowser } from './browser.ts';
import type { AgentKind } from './plan.ts';

export interface Actor {
  readonly id: string;
  readonly agent: AgentKind;
}

/** Everything that one run needs: the server, the model and each agent are separate processes. */
export interface Setup {
  readonly server: TestServer;
  readonly model: SpawnedModel;
  readonly proxy: FaultProxy;
  readonly browser: Browser;
  readonly actors: readonly Actor[];
  events(id: string): Promise<readonly Event[]>;
  session(id: string): Promise<Session>;
  folderOf(id: string, run: string): string;
  close(): Promise<void>;
}

const AGENT_IDS: Readonly<Record<AgentKind, string>> = { claude: 'claude-code', 'claude-next': 'claude-code:2', 'stand-in': 'stand-in' };

/** Why the real CLI can't be used; undefined when it can. */
export function missingCli(): string | undefined {
  const missing = ([claudePath('2.1.197'), claudePath('2.1.325')] as const).find((found) => 'skip' in found);
  return missing !== undefined && 'skip' in missing ? missing.skip : undefined;
}

export async function openSetup(name: string, agents: readonly AgentKind[], data?: string): Promise<Setup> {
  const model = await spawnScriptedModel();
  const server = await startServer({ from: { program: serverProgram() }, env: environment(model), ...(data !== undefined && { data }) });
  const proxy = await startFaultProxy(server.port);
  const browser = await openBrowser(server, proxy.port, name);
  const actors = await Promise.all(agents.map(async (agent) => ({ agent, id: await create(server, agent) })));
  for (const { id } of actors) browser.cockpit.openSession(id);
  return {
    server,
    model,
    proxy,
    browser,
    actors,
    events: (id) => allEvents(server, id),
    session: async (id) => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body,
    folderOf: (id, run) => join(server.data, 'sessions', id, run),
    close: async () => {
      browser.close();
      await proxy.close();
      await server.close();
      await model.close();
    },
  };
}

let program: string | undefined;

/** Bundled once, next to its threads: a server that is killed every few seconds must start fast. */
function serverProgram(): string {
  if (program !== undefined) return program;
  for (const { from, to } of THREADS) bundle(from, to);
  program = bundle('test/support/test-server-main.ts');
  return program;
}

function environment(model: SpawnedModel): Readonly<Record<string, string>> {
  const [older, newer] = [claudePath('2.1.197'), claudePath('2.1.325')];
  return {
    ...claudeEnv('path' in older ? older.path : '', model.url),
    ...('path' in newer && { CLAUDE_PATH_2: newer.path }),
    [STAND_IN_VARIABLE]: standIn().command,
    SIGNALBOX_RESERVE_MB: '64', // the default reserve, because the small disk test measures against it
  };
}

async function create(server: TestServer, agent: AgentKind): Promise<string> {
  const body = { agent: AGENT_IDS[agent], cwd: server.project, allowedTools: ['Bash'] };
  const answer = await api<Session>(server, 'POST', '/api/sessions', body);
  if (answer.status !== 201) throw new Error(`could not create a session with ${agent}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}
