import { Session } from '../../../src/protocol/session.ts';
import type { ReplaySession } from './replay-journals.ts';
import { FINISHED_STORY, journalOf, longStory, type SampleEvent, WAITING_STORY } from './sample-journal.ts';

type Fields = Partial<Record<keyof Session, unknown>> & { readonly id: string; readonly title: string };

/** A session as lists show it, with defaults for missing fields. */
export function sessionOf(fields: Fields, minutesAgo = 0): Session {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  return Session.parse({
    agent: 'demo',
    cwd: '/home/ada/storefront',
    projectId: 'p1',
    project: 'storefront',
    status: 'idle',
    statusCause: { seq: 1, cause: 'the turn ended' },
    control: 'here',
    reachable: true,
    createdAt: at,
    updatedAt: at,
    lastSeq: 1,
    waiting: 0,
    queue: [],
    tags: [],
    star: false,
    hostname: 'box',
    platform: 'linux',
    node: 'local',
    owner: 'ada',
    ...fields,
  });
}

const replay = (session: Session, story: readonly SampleEvent[]): ReplaySession => {
  const events = journalOf(new Date(), story);
  return { session: { ...session, lastSeq: events.length }, events };
};

/** A small deck with every lamp color once. */
export function sampleSessions(): readonly ReplaySession[] {
  const one = (text: string): readonly SampleEvent[] => [...FINISHED_STORY.slice(0, 1), { type: 'notice.shown', level: 'info', text }];
  return [
    replay(
      sessionOf({
        id: 'keys',
        title: 'Rotate signing keys without downtime',
        status: 'busy',
        project: 'payments-api',
        lastLine: 'Editing src/keys/rotate.ts',
        costUsd: 1.12,
        context: { tokens: 70_000, window: 200_000 },
      }),
      one('working'),
    ),
    replay(
      sessionOf(
        {
          id: 'flaky',
          title: 'Flaky test in checkout suite',
          status: 'waiting',
          waiting: 1,
          model: 'opus',
          permissionMode: 'default',
          lastLine: 'wants to run npm test -- --shard 2/4',
          costUsd: 2.4,
          context: { tokens: 142_000, window: 200_000 },
        },
        4,
      ),
      WAITING_STORY,
    ),
    replay(
      sessionOf(
        {
          id: 'cache',
          title: 'Tidy up the CI cache',
          project: 'infra',
          lastLine: 'Done: 3 files changed, tests pass',
          costUsd: 0.21,
          context: { tokens: 30_000, window: 200_000 },
        },
        11,
      ),
      FINISHED_STORY,
    ),
    replay(
      sessionOf(
        {
          id: 'node',
          title: 'Upgrade to Node 24',
          status: 'failed',
          project: 'infra',
          statusCause: { seq: 9, cause: 'failed: exit 1, rate limited until 14:20' },
          costUsd: 0.77,
        },
        9,
      ),
      one('failed'),
    ),
    replay(
      sessionOf(
        {
          id: 'docs',
          title: 'Docs search relevance',
          status: 'sleeping',
          project: 'docs',
          lastLine: 'sleeping, wakes with your next message',
          costUsd: 3.05,
          context: { tokens: 160_000, window: 200_000 },
        },
        130,
      ),
      one('asleep'),
    ),
    replay(sessionOf({ id: 'long', title: 'A long conversation', project: 'docs' }, 300), longStory(400)),
  ];
}
