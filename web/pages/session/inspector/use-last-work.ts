import type { Event } from '../../../../src/protocol/event.ts';
import { useApp } from '../../../store/cockpit-context.ts';

/** After these a file may be another than before. */
const WORK: ReadonlySet<Event['type']> = new Set(['tool.completed', 'turn.completed', 'files.rewound']);

/** The last event after which the folder may look different: it is by this that sides are asked for again, and never by a clock. */
export const useLastWork = (sessionId: string): number =>
  useApp((state) => state.open.get(sessionId)?.transcript.events.findLast(({ type }) => WORK.has(type))?.seq ?? 0);
