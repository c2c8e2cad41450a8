import type { Event } from '../../../../../src/protocol/event.ts';
import { useApp } from '../../../../store/cockpit-context.ts';

/** Events after which what Finish shows may be different. */
const WORK: ReadonlySet<Event['type']> = new Set([
  'tool.completed',
  'turn.completed',
  'files.rewound',
  'git.noted',
  'git.trusted',
  'git.started',
  'git.acted',
  'pr.linked',
  'pr.updated',
  'pr.dismissed',
]);

export const useLastGitEvent = (sessionId: string): number =>
  useApp((state) => state.open.get(sessionId)?.transcript.events.findLast(({ type }) => WORK.has(type))?.seq ?? 0);
