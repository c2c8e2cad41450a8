import { type FocusEvent, type RefObject, useState } from 'react';

/** Whether the pointer or focus is inside an element, with the listeners that find out. */
export function useNear(part: RefObject<HTMLElement | null>) {
  const [isNear, setNear] = useState(false);
  const enter = () => setNear(true);
  const listeners = {
    onPointerEnter: enter,
    onPointerLeave: () => setNear(isFocused(part.current)),
    onFocus: enter,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => setNear(currentTarget.contains(relatedTarget)),
  };
  return [isNear, listeners] as const;
}

export const isFocused = (part: HTMLElement | null): boolean => part?.contains(document.activeElement) === true;
