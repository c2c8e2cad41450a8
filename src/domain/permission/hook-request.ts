import type { EventBodyOf } from '../../protocol/event.ts';
import { type RequestId, type RunId, requestIdOf } from '../../protocol/ids.ts';
import type { Draft } from '../session/draft.ts';

/** What hooks ask, and messages lent to programs that poll, belong to no run of ours. */
export const NO_RUN = 'hook' as RunId;

export const hookRequestOf = (askId: string): RequestId => requestIdOf(NO_RUN, askId);

/** A request of an agent in a terminal: answering it needs no process of ours. */
export const isHookRequest = (requestId: RequestId): boolean => requestId.startsWith(`${NO_RUN}:`);

type Answered = EventBodyOf<'hook.answered'>;

export function noteAnswer(draft: Draft, askId: string, outcome: Answered['outcome'], by: Answered['by']): void {
  draft.emit({ type: 'hook.answered', askId, outcome, by });
}
