import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Adapter } from '../../src/agents/adapter.ts';
import { agentsWith, CONFIGURED } from '../../src/agents/index.ts';
import type { LiveBench } from '../../test/support/live-suite/bench.ts';
import type { LiveAgent } from '../../test/support/live-suite/live-agent.ts';
import { type Example, exampleOf } from './example.ts';

/** An agent that is measured: behind the published server, and what is needed to run the same program without it. */
export interface Subject {
  readonly title: string;
  readonly bench: LiveBench;
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

function adapterOf(agent: string, bench: LiveBench): Adapter {
  const adapter = agentsWith(configuredIn(bench.server.data)).find(({ id }) => id === agent);
  if (adapter === undefined) throw new Error(`there is no agent ${agent}`);
  return adapter;
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
