import { createContext, useContext } from 'react';
import type { SidesApi } from '../../../client/http/inspector-api.ts';
import type { Review } from './review-store.ts';

export interface SidesValue {
  readonly sessionId: string;
  readonly api: SidesApi;
  /** What the tools of the session changed; several sides speak of it. */
  readonly tools: Review;
}

export const SidesContext = createContext<SidesValue | undefined>(undefined);

export function useSides(): SidesValue {
  const value = useContext(SidesContext);
  if (value === undefined) throw new Error('useSides is used outside of a session');
  return value;
}
