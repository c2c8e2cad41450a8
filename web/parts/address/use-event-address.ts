import { useLocation, useNavigate } from '@tanstack/react-router';
import { useIsAddressed } from './addressed-context.ts';

/**
 * Puts the shown event into the address (0: the end), so that a reload opens it and an event that the user left doesn't come back.
 * Returns false where the address doesn't belong to this session or already names the event: then the page has to scroll by itself.
 */
export function useEventAddress(): (seq: number) => boolean {
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
