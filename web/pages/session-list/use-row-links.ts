import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** One ear for all rows: a link of the router in each of them would cost more than the rest of the row. */
export function useRowLinks(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-session]') : null;
    const sessionId = link?.dataset.session;
    if (!isPlain || event.defaultPrevented || sessionId === undefined) return;
    event.preventDefault();
    void navigate({ to: '/s/$sessionId', params: { sessionId } });
  };
}
