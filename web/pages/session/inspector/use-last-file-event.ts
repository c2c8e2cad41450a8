import type { Event } from '../../../../src/protocol/event.ts';
import { useApp } from '../../../store/cockpit-context.ts';

/** Events after which files may have changed. */
const WORK: ReadonlySet<Event['type']> = new Set(['tool.completed', 'turn.completed', 'files.rewound']);

/** The last event after which files may have changed. The inspector reloads on these, never by a timer. */
export const useLastFileEvent = (sessionId: string): number =>
  useApp((state) => state.open.get(sessionId)?.transcript.events.findLast(({ type }) => WORK.has(type))?.seq ?? 0);
