import type { PastCall } from '../../domain/policy/history.ts';
import type { Call } from '../../domain/policy/judge.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { RequestId, SessionId } from '../../protocol/ids.ts';

/** The call behind a past tool use; undefined when its session no longer exists. */
export type CallOf = (session: SessionId, started: EventOf<'tool.started'>) => Call | undefined;

/** Combines calls with their requests and outcomes, in whatever order events arrive. Keeps the first `max` calls. */
export class PastCalls {
  /** True once a call was dropped. */
  isCut = false;
  readonly #started: (Call & { readonly seq: number; readonly at: string; readonly toolUseId: string })[] = [];
  readonly #asked = new Map<string, RequestId>();
  readonly #outcomes = new Map<RequestId, string>();

  constructor(
    private readonly callOf: CallOf,
    private readonly max: number,
  ) {}

  /** Inherited events are counted in their original session. */
  take(session: SessionId, event: Event): void {
    if (event.inherited) return;
    if (event.type === 'permission.resolved') this.#outcomes.set(event.requestId, event.outcome);
    if (event.type === 'permission.requested' && event.toolUseId !== undefined) this.#asked.set(`${session} ${event.toolUseId}`, event.requestId);
    if (event.type === 'tool.started') this.#start(session, event);
  }

  #start(session: SessionId, event: EventOf<'tool.started'>): void {
    const call = this.callOf(session, event);
    if (call === undefined) return;
    const { seq, at, toolUseId } = event;
    if (this.#started.length < this.max) this.#started.push({ ...call, seq, at, toolUseId });
    else this.isCut = true;
  }

  all(): readonly PastCall[] {
    return this.#started.map(({ toolUseId, ...call }) => {
      const requestId = this.#asked.get(`${call.sessionId} ${toolUseId}`);
      const outcome = requestId === undefined ? undefined : (this.#outcomes.get(requestId) ?? 'waiting');
      return { ...call, asked: requestId !== undefined, ...(outcome !== undefined && { outcome }) };
    });
  }
}
