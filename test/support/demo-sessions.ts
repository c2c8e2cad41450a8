import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from './client.ts';
import type { TestServer } from './real-server.ts';
import { waitFor } from './wait-for.ts';

/** A server with demo sessions in every state that the page shows. */
export interface DemoSessions {
  readonly server: TestServer;
  /** Has a long answer and a changed file. */
  readonly done: string;
  /** Waits for permission to run a command. */
  readonly waiting: string;
  /** Waits for an answer to a question. */
  readonly asking: string;
  readonly running: string;
  readonly failed: string;
}

const PLAN = [
  { id: 'index', title: 'Design the index', prompt: 'echo index', needs: [] },
  { id: 'route', title: 'Write the route', prompt: 'echo route', needs: ['index'], verify: { command: 'true' } },
  { id: 'field', title: 'Draw the field', prompt: 'echo field', needs: ['index'] },
  { id: 'look', title: 'Somebody looks', prompt: 'Is it good?', needs: ['route', 'field'], kind: 'gate' },
];

/** Creates what the surfaces show: sessions, a rule, a second person, a plan that has not started. */
export async function furnish(server: TestServer): Promise<DemoSessions> {
  const start = async (title: string, prompt: string, more: object = {}) =>
    (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, title, prompt, ...more })).body.id;
  const done = await start('Rotate the signing keys', 'edits', { permissionMode: 'acceptEdits' });
  await reaches(server, done, 'idle');
  await api(server, 'POST', `/api/sessions/${done}/input`, { text: 'long 160' });
  await reaches(server, done, 'idle');
  const failed = await start('Upgrade to Node 24', 'crash');
  await reaches(server, failed, 'failed');
  const running = await start('Docs search relevance', 'wait');
  const waiting = await start('Flaky test in the checkout suite', 'run ls -la');
  const asking = await start('Which signal shall it be', 'ask');
  await waitFor('two requests', async () => (await pendingRequestsOf(server)).length === 2);
  await api(server, 'POST', '/api/rules', { behavior: 'allow', tool: 'Bash', command: 'npm test *', scope: { kind: 'everywhere' } });
  await api(server, 'POST', '/api/plans', {
    id: 'surfaces',
    title: 'Add search to the shop',
    goal: 'Customers find products by name.',
    cwd: server.project,
    defaults: { agent: 'demo' },
    nodes: PLAN,
  });
  await api(server, 'POST', '/api/tokens', { name: 'anna', role: 'driver' });
  await api(server, 'PATCH', `/api/sessions/${done}`, { tags: ['keys', 'release'], star: true });
  return { server, done, waiting, asking, running, failed };
}

export const pendingRequestsOf = async (server: TestServer): Promise<readonly WaitingPermission[]> =>
  (await api<{ permissions: WaitingPermission[] }>(server, 'GET', '/api/permissions')).body.permissions;

const reaches = (server: TestServer, id: string, status: Session['status']) =>
  waitFor(`${id} is ${status}`, async () => {
    const { body } = await api<Session>(server, 'GET', `/api/sessions/${id}`);
    return body.status === status && body.queue.length === 0;
  });
