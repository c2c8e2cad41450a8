import { type FocusEvent, type RefObject, useState } from 'react';

/** Whether the pointer or the focus is in a part, and what that part has to listen to for it. */
export function useNear(part: RefObject<HTMLElement | null>) {
  const [isNear, setNear] = useState(false);
  const come = () => setNear(true);
  const listeners = {
    onPointerEnter: come,
    onPointerLeave: () => setNear(isFocused(part.current)),
    onFocus: come,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => setNear(currentTarget.contains(relatedTarget)),
  };
  return [isNear, listeners] as const;
}

export const isFocused = (part: HTMLElement | null): boolean => part?.contains(document.activeElement) === true;
