import { createContext, useContext } from 'react';
import type { InspectorApi } from '../../../client/http/inspector-api.ts';
import type { Review } from './review-store.ts';

export interface InspectorValue {
  readonly sessionId: string;
  readonly api: InspectorApi;
  /** Changes reported by the session's tools, used by several panes. */
  readonly tools: Review;
}

export const InspectorContext = createContext<InspectorValue | undefined>(undefined);

export function useInspector(): InspectorValue {
  const value = useContext(InspectorContext);
  if (value === undefined) throw new Error('useInspector is used outside of a session');
  return value;
}
