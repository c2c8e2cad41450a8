import { useSyncExternalStore } from 'react';

/** The request whose card a hand has chosen, by a press or by walking to it: the one that has the focus. */
export const useFocusedRequest = (): string | undefined => useSyncExternalStore(onFocus, focusedRequest);

function onFocus(tell: () => void): () => void {
  document.addEventListener('focusin', tell);
  document.addEventListener('focusout', tell);
  return () => {
    document.removeEventListener('focusin', tell);
    document.removeEventListener('focusout', tell);
  };
}

const focusedRequest = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-request]')?.dataset.request;
