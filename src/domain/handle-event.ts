import type { EventOf, EventType } from '../protocol/event.ts';

/**
 * A handler for each of these event types, called with `Before` and then the event. A map of this type does not compile while one is missing: the compiler
 * lists every place that a new event needs.
 */
export type Handlers<T extends EventType, Before extends readonly unknown[], Result> = {
  readonly [K in T]: (...args: [...before: Before, event: EventOf<K>]) => Result;
};

/** The handler of this event's type. The compiler cannot follow that it takes the event, hence the cast. */
export const handlerOf = <T extends EventType, Before extends readonly unknown[], Result>(handlers: Handlers<T, Before, Result>, event: { readonly type: T }) =>
  handlers[event.type] as (...args: [...before: Before, event: EventOf<T>]) => Result;
