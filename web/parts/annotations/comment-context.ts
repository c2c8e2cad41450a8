import { createContext, useContext } from 'react';
import type { NewTarget } from '../../../src/protocol/api/annotations.ts';

/** What a person is about to comment on. */
export interface CommentPlace {
  readonly target: NewTarget;
  /** What they see there. */
  readonly quote?: string;
  /** The event of a message or a call. */
  readonly seq?: number;
  /** The place in words, such as `cart.ts:12`. */
  readonly title: string;
}

/** Opens the comment form. Unset where nothing can be commented on. */
export const CommentContext = createContext<((place: CommentPlace) => void) | undefined>(undefined);

export const useComment = (): ((place: CommentPlace) => void) | undefined => useContext(CommentContext);
