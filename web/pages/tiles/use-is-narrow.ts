import { useSyncExternalStore } from 'react';

/** As the style sheet has it for phones. */
const NARROW = '(max-width: 640px)';

/** Whether there is room for one session only. */
export const useIsNarrow = (): boolean => useSyncExternalStore(onChange, () => matchMedia(NARROW).matches);

function onChange(tell: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', tell);
  return () => query.removeEventListener('change', tell);
}
