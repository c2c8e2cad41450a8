import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Adapter } from '../../src/agents/adapter.ts';
import { agentsWith, CONFIGURED } from '../../src/agents/index.ts';
import { inheritable } from '../../src/engine/agent-env.ts';
import type { AgentDescription } from '../../src/protocol/http.ts';
import { api } from '../../test/support/client.ts';
import type { LiveBench } from '../../test/support/live-suite/bench.ts';
import type { LiveAgent } from '../../test/support/live-suite/live-agent.ts';

/** An agent that is measured: behind the published server, and what is needed to run the same program without it. */
export interface Subject {
  readonly title: string;
  readonly bench: LiveBench;
  readonly adapter: Adapter;
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function openSubject(agent: LiveAgent): Promise<Subject | { readonly skip: string }> {
  const bench = await agent.open();
  if ('skip' in bench) return bench;
  const { agents } = (await api<{ agents: AgentDescription[] }>(bench.server, 'GET', '/api/agents')).body;
  const executable = agents.find(({ id }) => id === agent.id)?.path;
  const adapter = agentsWith(configuredIn(bench.server.data)).find(({ id }) => id === agent.id);
  if (adapter === undefined || executable === undefined) throw new Error(`the server does not know where ${agent.title} is`);
  return { title: agent.title, bench, adapter, executable, env: environmentOf(bench.server.pid) };
}

const Config = z.object({ agents: z.record(z.string(), CONFIGURED.schema) });

function configuredIn(data: string): z.infer<typeof Config>['agents'] {
  try {
    return Config.parse(JSON.parse(readFileSync(join(data, 'config.json'), 'utf8'))).agents;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

/** What the server would hand on to an agent. */
function environmentOf(pid: number): Readonly<Record<string, string>> {
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return inheritable(
    Object.fromEntries(lines.filter((line) => line.includes('=')).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
  );
}
