import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Session } from '../../src/protocol/session.ts';
import type { LiveSetup } from '../../test/support/live-suite/live-setup.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openListener } from './listener.ts';
import { openOurs } from './ours.ts';

/** How the server started a program, with what it has from the config file: the program alone is started in the same way. */
export interface Example {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it stands among the arguments, another one has its own. */
  readonly agentSessionId: string;
  /** Until the first session of all was ready. */
  readonly readyMs: number;
}

const Started = z.object({ command: z.string(), args: z.array(z.string()) });

/** Starts one behind the server, looks at its process, and ends it. */
export async function exampleOf(bench: LiveSetup, title: string): Promise<Example> {
  const listener = await openListener(bench.server, title);
  const speaker = await openOurs({ bench }, listener);
  const { pid, agentSessionId } = await waitFor('the process of the agent to be known', () => withProcess(bench, speaker.id));
  const { run } = await bench.event(speaker.id, 'run.opened');
  const started = Started.parse(JSON.parse(readFileSync(join(bench.server.data, 'sessions', speaker.id, run, 'host.json'), 'utf8')));
  const env = environmentOf(pid);
  await speaker.close();
  listener.close();
  return { ...started, env, agentSessionId: agentSessionId ?? '', readyMs: speaker.readyMs };
}

async function withProcess(bench: LiveSetup, id: string): Promise<(Session & { readonly pid: number }) | undefined> {
  const session = await bench.session(id);
  return session.pid === undefined ? undefined : { ...session, pid: session.pid };
}

/** Without the mark of its run, by which the server finds what belongs to it. */
function environmentOf(pid: number): Readonly<Record<string, string>> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((line) => line.includes('=') && !line.startsWith('SIGNALBOX_RUN='))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return Object.fromEntries(entries);
}
