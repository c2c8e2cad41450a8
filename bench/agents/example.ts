import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Session } from '../../src/protocol/session.ts';
import type { LiveSetup } from '../../test/support/live-suite/live-setup.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openListener } from './listener.ts';
import { openOurs } from './with-server.ts';

/** How the server started a program, config file included. The program without the server is started the same way. */
export interface Example {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where this id occurs in the arguments, another process gets its own id instead. */
  readonly agentSessionId: string;
  /** How long the very first session took to become ready. */
  readonly readyMs: number;
}

const Started = z.object({ command: z.string(), args: z.array(z.string()) });

/** Starts a session behind the server, inspects its process, and ends it. */
export async function exampleOf(bench: LiveSetup, title: string): Promise<Example> {
  const listener = await openListener(bench.server, title);
  const session = await openOurs({ bench }, listener);
  const { pid, agentSessionId } = await waitFor('the pid of the agent', () => withProcess(bench, session.id));
  const { run } = await bench.event(session.id, 'run.opened');
  const started = Started.parse(JSON.parse(readFileSync(join(bench.server.data, 'sessions', session.id, run, 'host.json'), 'utf8')));
  const env = environmentOf(pid);
  await session.close();
  listener.close();
  return { ...started, env, agentSessionId: agentSessionId ?? '', readyMs: session.readyMs };
}

async function withProcess(bench: LiveSetup, id: string): Promise<(Session & { readonly pid: number }) | undefined> {
  const known = await bench.session(id);
  return known.pid === undefined ? undefined : { ...known, pid: known.pid };
}

/** Leaves out the variable by which the server finds the processes of a run. */
function environmentOf(pid: number): Readonly<Record<string, string>> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((line) => line.includes('=') && !line.startsWith('SIGNALBOX_RUN='))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return Object.fromEntries(entries);
}
