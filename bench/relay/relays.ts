import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { api } from '../../test/support/client.ts';
import { startServer, type TestServer } from '../../test/support/real-server.ts';
import { builtAgent } from './agent.ts';
import type { RelayAddress } from './client-messages.ts';
import { cpuMs, launchersBelow } from './processes.ts';

/** A program between agents and a client. */
export interface Relay {
  readonly address: RelayAddress;
  readonly pid: number;
  /** CPU time of everything in between, without the agents and the client. */
  cpuMs(): number;
  close(): Promise<void>;
}

const FLOOR = fileURLToPath(new URL('./floor.mjs', import.meta.url));

export async function openFloor(sessions: number): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-floor-'));
  const child = spawn(process.execPath, [FLOOR, '--sessions', String(sessions), '--folder', folder, '--', builtAgent()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const { url } = JSON.parse(line) as { url: string };
  const pid = child.pid ?? 0;
  return {
    address: { kind: 'floor', url, sessions: names(sessions, (index) => String(index)) },
    pid,
    cpuMs: () => cpuMs(pid),
    close: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Ours extends Relay {
  readonly server: TestServer;
}

/** The published server with its real adapter; only the agent's program is the stand-in. */
export async function openOurs(sessions: number): Promise<Ours> {
  const server = await startServer({ from: 'dist', env: ourEnv() });
  const ids = names(sessions, (index) => `bench-${index}`);
  for (const id of ids) await createSession(server, id);
  return {
    server,
    address: addressOf(server, ids),
    get pid() {
      return server.pid;
    },
    cpuMs: () => [server.pid, ...launchersBelow(server.data)].reduce((sum, pid) => sum + cpuMs(pid), 0),
    close: () => server.close(),
  };
}

export const ourEnv = (): Record<string, string> => ({
  CLAUDE_PATH: builtAgent(),
  SIGNALBOX_MAX_LIVE: '1000',
  SIGNALBOX_LOG: 'warn',
});

export const addressOf = (server: TestServer, sessions: readonly string[]): RelayAddress => ({
  kind: 'ours',
  url: `${server.url.replace(/^http/, 'ws')}/ws`,
  token: server.token,
  sessions,
});

export async function createSession(server: TestServer, id: string, prompt?: string): Promise<void> {
  const body = { agent: 'claude-code', cwd: server.project, id, ...(prompt === undefined ? {} : { prompt }) };
  const { status, body: answer } = await api(server, 'POST', '/api/sessions', body);
  if (status !== 201) throw new Error(`a session could not be created: ${JSON.stringify(answer)}`);
}

const names = (count: number, name: (index: number) => string): readonly string[] => Array.from({ length: count }, (_, index) => name(index));
