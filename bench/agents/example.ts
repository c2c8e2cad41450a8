import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { LiveBench } from '../../test/support/live-suite/bench.ts';
import { order } from '../../test/support/live-suite/exchange.ts';
import { waitFor } from '../../test/support/wait-for.ts';

/** How the server started a program, with what it has from the config file: the program alone is started in the same way. */
export interface Example {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it stands among the arguments, another one has its own. */
  readonly agentSessionId: string;
}

const Started = z.object({ command: z.string(), args: z.array(z.string()) });

/** Starts one behind the server, looks at its process, and ends it. */
export async function exampleOf(bench: LiveBench): Promise<Example> {
  const { id } = await bench.create();
  await bench.event(id, 'run.ready');
  await waitFor('the process of the agent to be known', async () => (await bench.session(id)).pid !== undefined);
  const { pid, agentSessionId } = await bench.session(id);
  const { run } = await bench.event(id, 'run.opened');
  const started = Started.parse(JSON.parse(readFileSync(join(bench.server.data, 'sessions', id, run, 'host.json'), 'utf8')));
  const env = environmentOf(pid ?? 0);
  await order(bench, id, 'stop');
  await bench.event(id, 'session.exited');
  return { ...started, env, agentSessionId: agentSessionId ?? '' };
}

/** Without the mark of its run, by which the server finds what belongs to it. */
function environmentOf(pid: number): Readonly<Record<string, string>> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((line) => line.includes('=') && !line.startsWith('SIGNALBOX_RUN='))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return Object.fromEntries(entries);
}
