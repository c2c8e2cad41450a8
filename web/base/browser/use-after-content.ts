import { useDeferredValue } from 'react';

/** What surrounds a transcript: it first comes in the picture after the one with what somebody opened the page for, and from then on at once. */
export function useAfterContent<T>(value: T | undefined): T | undefined {
  return useDeferredValue(value) === undefined ? undefined : value;
}
