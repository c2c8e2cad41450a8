import { useLocation, useNavigate } from '@tanstack/react-router';
import { useIsAddressed } from './addressed-context.ts';

/**
 * Writes into the address which event is looked at; 0 is the end. So a reload leads there, and an event that one has left does not call one back.
 * False where the address says nothing of this session, or says that already: then the page has to go there itself.
 */
export function usePlace(): (seq: number) => boolean {
  const isAddressed = useIsAddressed();
  const at = useLocation({ select: ({ hash }) => hash });
  const navigate = useNavigate();
  return (seq) => {
    const hash = seq === 0 ? '' : `e${seq}`;
    if (!isAddressed || at === hash) return false;
    void navigate({ to: '.', search: true, hash, replace: true });
    return true;
  };
}
