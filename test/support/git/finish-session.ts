import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ActAnswer, Finish, Side } from '../../../src/protocol/api/finish.ts';
import type { Event, EventOf } from '../../../src/protocol/event.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { allEvents } from '../all-events.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import { waitFor } from '../wait-for.ts';

/** A session of the demo agent in a repository of its own, below the server's project folder. */
export interface FinishSession {
  readonly id: string;
  readonly folder: string;
  git(...args: readonly string[]): string;
  write(path: string, text: string): void;
  post<T = ActAnswer & { error?: { message: string } }>(what: string, body?: unknown, token?: string): Promise<{ status: number; body: T }>;
  read(query?: string): Promise<Extract<Finish, { repository: true }>>;
  hunks(side: Side, path: string): Promise<readonly { path: string; header: string; sha256: string }[]>;
  events(): Promise<readonly Event[]>;
  /** The outcome of a command, once it is known. */
  outcome(commandId: string): Promise<EventOf<'git.acted'>>;
}

export type GitIn = (folder: string, ...args: readonly string[]) => string;

/** Git as the server's person runs it. */
export const gitFor =
  (home: string): GitIn =>
  (folder, ...args) =>
    execFileSync('git', [...args], { cwd: folder, env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] }).toString(
      'utf8',
    );

/** A repository with one commit and a bare remote `origin`. */
export function makeRepository(server: Pick<TestServer, 'home' | 'project'>, name: string, files: Readonly<Record<string, string>>): string {
  const git = gitFor(server.home);
  const [folder, bare] = [join(server.project, name), join(server.home, `${name}.git`)];
  mkdirSync(folder, { recursive: true });
  git(server.home, 'config', '--global', 'user.name', 'Ada');
  git(server.home, 'config', '--global', 'user.email', 'ada@example.com');
  git(server.home, 'init', '-q', '--bare', '-b', 'main', bare);
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'remote', 'add', 'origin', bare);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  return folder;
}

export async function startFinishSession(server: TestServer, folder: string): Promise<FinishSession> {
  const { body: session } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: folder });
  const at = `/api/sessions/${session.id}/git`;
  const read = async (query = '') => {
    const { body } = await api<Finish>(server, 'GET', `${at}${query}`);
    if (!body.repository) throw new Error(JSON.stringify(body));
    return body;
  };
  const events = () => allEvents(server, session.id);
  await waitFor('the settings to be noted', async () => (await events()).some(({ type }) => type === 'git.noted'));
  const git = gitFor(server.home);
  return {
    id: session.id,
    folder,
    git: (...args) => git(folder, ...args),
    write: (path, text) => writeFileSync(join(folder, path), text),
    post: (what, body = {}, token = server.token) => api({ url: server.url, token }, 'POST', `${at}/${what}`, body),
    read,
    hunks: async (side, path) =>
      ((await read(`?side=${side}&path=${encodeURIComponent(path)}`)).diff?.hunks ?? []).map(({ header, sha256 }) => ({ path, header, sha256 })),
    events,
    outcome: (commandId) =>
      waitFor(`the outcome of ${commandId}`, async () =>
        (await events()).find((event): event is EventOf<'git.acted'> => event.type === 'git.acted' && event.commandId === commandId),
      ),
  };
}
