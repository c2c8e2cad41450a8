import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { agentsWith, CONFIGURED } from '../../src/agents/index.ts';
import type { Adapter } from '../../src/agents/port/adapter.ts';
import type { LiveAgent } from '../../test/support/live-suite/live-agent.ts';
import type { LiveSetup } from '../../test/support/live-suite/live-setup.ts';
import { type Example, exampleOf } from './example.ts';

/** The agent under test: its setup behind the published server, and what is needed to run the same program without it. */
export interface Subject {
  readonly title: string;
  readonly bench: LiveSetup;
  readonly adapter: Adapter;
  readonly example: Example;
}

export async function openSubject(agent: LiveAgent): Promise<Subject | { readonly skip: string }> {
  const bench = await agent.open();
  if ('skip' in bench) return bench;
  try {
    return { title: agent.title, bench, adapter: adapterOf(agent.id, bench), example: await exampleOf(bench, agent.title) };
  } catch (error) {
    await bench.close();
    throw error;
  }
}

function adapterOf(agent: string, bench: LiveSetup): Adapter {
  const adapter = agentsWith(configuredIn(bench.server.data)).find(({ id }) => id === agent);
  if (adapter === undefined) throw new Error(`there is no agent ${agent}`);
  return adapter;
}

const Config = z.object({ agents: z.record(z.string(), z.unknown()) });

/** Agents that only the config file defines. */
function configuredIn(data: string): Parameters<typeof agentsWith>[0] {
  const { agents } = Config.parse(configOf(data));
  const configured = Object.entries(agents).filter(([id]) => id.startsWith(CONFIGURED.prefix));
  return Object.fromEntries(configured.map(([id, agent]) => [id, CONFIGURED.schema.parse(agent)]));
}

function configOf(data: string): unknown {
  const file = join(data, 'config.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { agents: {} };
}
