import { createContext, useContext } from 'react';

/** How to mark the surrounding message. */
export interface Marking {
  /** The pointer or focus is on it. Only then are its buttons rendered: a long transcript would have very many. */
  readonly isNear: boolean;
  readonly isStarred: boolean;
  readonly toggleStar: () => void;
  /** Opens the field for tags. */
  readonly tag: () => void;
}

/** Unset around items that can't be marked, such as the steps of a subagent. */
export const MarkingContext = createContext<Marking | undefined>(undefined);

export const useMarking = (): Marking | undefined => useContext(MarkingContext);
