import type { EventOf } from '../../protocol/event.ts';
import type { ResolvedRequest } from '../../protocol/frame.ts';

/** The end of a request in short: what people who did not answer it themselves need to know. */
export const resolvedRequest = ({ requestId, outcome, actor, at, message, updatedInput }: EventOf<'permission.resolved'>): ResolvedRequest => ({
  requestId,
  outcome,
  at,
  ...(actor !== undefined && { by: actor }),
  ...(message !== undefined && { message }),
  ...(updatedInput !== undefined && { changed: true }),
});
