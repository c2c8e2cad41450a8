import { createContext, type RefObject, useContext, useEffect } from 'react';
import type { NewTarget } from '../../../src/protocol/api/annotations.ts';

/** What a person is about to comment on. */
export interface CommentPlace {
  readonly target: NewTarget;
  /** What they see there. */
  readonly quote?: string | undefined;
  /** The event of a message or a call. */
  readonly seq?: number | undefined;
  /** The place in words, such as `cart.ts:12`. */
  readonly title: string;
}

/** Where a selection inside a commentable part belongs; undefined if it can't be commented on. */
export type PlaceOf = (selection: Range) => CommentPlace | undefined;

export interface CommentValue {
  /** Opens the comment form. */
  readonly open: (place: CommentPlace) => void;
  /** Parts of the page whose text can be selected and commented on. */
  readonly sources: WeakMap<Node, PlaceOf>;
}

/** Unset where nothing can be commented on. */
export const CommentContext = createContext<CommentValue | undefined>(undefined);

export const useComment = (): CommentValue['open'] | undefined => useContext(CommentContext)?.open;

/** Text selected inside this part can be commented on. */
export function useCommentSource(part: RefObject<HTMLElement | null>, placeOf: PlaceOf): void {
  const sources = useContext(CommentContext)?.sources;
  useEffect(() => {
    const element = part.current;
    if (element !== null) sources?.set(element, placeOf);
  });
}

/** The place of a selection: the innermost part that it is in knows it. */
export function placeOfSelection(sources: CommentValue['sources'], selection: Range): CommentPlace | undefined {
  for (let node: Node | null = selection.commonAncestorContainer; node !== null; node = node.parentNode) {
    const place = sources.get(node)?.(selection);
    if (place !== undefined) return place;
  }
  return undefined;
}
