import { createContext, useContext } from 'react';

/** How a person marks the message around. */
export interface Marking {
  /** The pointer or the focus is there: only then are its buttons, of which a long transcript would have very many. */
  readonly isNear: boolean;
  readonly isStarred: boolean;
  readonly toggleStar: () => void;
  /** Opens the note to be written. */
  readonly write: () => void;
}

/** Unset around what has no marks of its own, such as the steps of a subagent. */
export const MarkingContext = createContext<Marking | undefined>(undefined);

export const useMarking = (): Marking | undefined => useContext(MarkingContext);
