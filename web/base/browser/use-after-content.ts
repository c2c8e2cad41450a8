import { useDeferredValue } from 'react';

/** For what surrounds a transcript: it first renders after the transcript itself, and from then on without delay. */
export function useAfterContent<T>(value: T | undefined): T | undefined {
  return useDeferredValue(value) === undefined ? undefined : value;
}
