import { AgentId } from '../../../src/protocol/ids.ts';
import { Session } from '../../../src/protocol/session.ts';

/** A session as a list shows it, for tests. `minute` places it in time. */
export function sessionAt(id: string, minute: number, fields: Partial<Session> = {}): Session {
  return {
    ...Session.parse({
      id,
      agent: AgentId.parse('demo'),
      title: `title of ${id}`,
      cwd: '/home/me/work',
      projectId: 'p1',
      project: 'work',
      status: 'idle',
      statusCause: { seq: 1, cause: 'created' },
      control: 'here',
      reachable: true,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
      lastSeq: 1,
      waiting: 0,
      queue: [],
      tags: [],
      star: false,
      hostname: 'h',
      platform: 'linux',
      node: 'n',
      owner: 'o',
    }),
    ...fields,
  };
}
