import type { EventOf, EventType } from '../protocol/event.ts';

/**
 * What to do with each of these events, given these arguments before it. A map of this type does not compile while one of them is missing: the compiler
 * lists every place that a new event needs.
 */
export type Handlers<T extends EventType, Before extends readonly unknown[], Result> = {
  readonly [K in T]: (...given: [...before: Before, event: EventOf<K>]) => Result;
};

/** The handler of this event's type. The cast says what the compiler cannot follow: it takes the event. */
export const handlerOf = <T extends EventType, Before extends readonly unknown[], Result>(handlers: Handlers<T, Before, Result>, event: { readonly type: T }) =>
  handlers[event.type] as (...given: [...before: Before, event: EventOf<T>]) => Result;
