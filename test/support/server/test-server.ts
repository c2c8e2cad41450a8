import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problems } from '../../../src/problems/problems.ts';
import { keyInFragment } from '../../../src/protocol/api/sign-in.ts';
import { addNamedToken } from '../../../src/server/auth/named-tokens.ts';
import { openRunTokens } from '../../../src/server/auth/run-tokens.ts';
import { openSignIns } from '../../../src/server/auth/sign-ins.ts';
import { openTokens, type Tokens } from '../../../src/server/auth/tokens.ts';
import { listsOver } from '../../../src/server/http/list-sessions.ts';
import { openPush } from '../../../src/server/push/push.ts';
import { type RunningServer, type ServerParts, startServer } from '../../../src/server/server.ts';
import { silentLog } from '../../../src/server/shared/log.ts';
import { openPersonStates } from '../../../src/server/shared/person-states.ts';
import { openSeenSessions } from '../../../src/server/shared/seen-sessions.ts';
import type { ServerSettings } from '../../../src/server/shared/settings.ts';
import { createInMemoryEngine, type InMemoryEngine } from './in-memory-engine.ts';
import { connect, type TestClient } from './test-client.ts';

export interface TestServer {
  readonly engine: InMemoryEngine;
  readonly running: RunningServer;
  readonly tokens: Tokens;
  readonly dataDir: string;
  /** One token of each role. */
  readonly token: { readonly owner: string; readonly driver: string; readonly viewer: string };
  /** Sends as the owner unless other headers are given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Signs a browser in; returns the headers its page sends with every request. */
  signIn(token?: string): Promise<PageHeaders>;
  connect(token?: string): Promise<TestClient>;
  close(): Promise<void>;
}

export interface PageHeaders extends Record<string, string> {
  readonly cookie: string;
  readonly 'x-signalbox-key': string;
}

export const LOCAL: ServerSettings = { host: '127.0.0.1', port: 0, basePath: '', allowedHosts: [] };

/** A complete server on a free port, with an engine in memory. */
export async function startTestServer(settings: Partial<ServerSettings> = {}, parts: Partial<ServerParts> = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-server-'));
  const tokens = openTokens(dataDir);
  const token = { owner: tokens.ownerToken, driver: addNamedToken(dataDir, 'dora', 'driver'), viewer: addNamedToken(dataDir, 'vera', 'viewer') };
  const engine = createInMemoryEngine();
  const config = { ...LOCAL, ...settings };
  const push = openPush({ dataDir, engine, tokens, hosts: [], log: silentLog });
  const running = await startServer({
    engine,
    sessionList: listsOver(engine),
    config,
    tokens,
    runTokens: openRunTokens(dataDir),
    signIns: openSignIns(dataDir, tokens, parts.now),
    states: openPersonStates(dataDir),
    seen: openSeenSessions(dataDir, new Problems(silentLog)),
    push,
    webDir: join(dataDir, 'web'),
    version: '0.0.0-test',
    log: silentLog,
    problems: new Problems(silentLog),
    ...parts,
  });
  const at = (path: string): string => `http://127.0.0.1:${running.port}${path}`;
  const clients: TestClient[] = [];
  return {
    engine,
    running,
    tokens,
    dataDir,
    token,
    fetch: (path, init) => fetch(at(path), { redirect: 'manual', ...init, headers: { authorization: `Bearer ${token.owner}`, ...init?.headers } }),
    post: (path, body, headers) =>
      fetch(at(path), {
        method: 'POST',
        headers: { authorization: `Bearer ${token.owner}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    signIn: async (as = token.owner) => {
      const response = await fetch(at(`/?token=${as}`), { redirect: 'manual' });
      const key = keyInFragment(new URL(response.headers.get('location') ?? '', 'http://here').hash)?.key ?? '';
      return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', 'x-signalbox-key': key };
    },
    connect: async (as = token.owner) => {
      const client = await connect(`ws://127.0.0.1:${running.port}${config.basePath}/ws`, { headers: { authorization: `Bearer ${as}` } });
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) client.cut();
      await push.close();
      await running.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
