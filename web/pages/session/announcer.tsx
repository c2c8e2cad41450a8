import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../store/cockpit-context.ts';
import { newsOf } from './status-news.ts';

/** Tells whoever listens instead of looking that it waits or has ended; never what it writes. */
export function Announcer({ sessionId }: { readonly sessionId: string }) {
  const status = useApp((state) => state.sessions.get(sessionId)?.status);
  const [words, setWords] = useState('');
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    setWords(newsOf(before.current, status));
    before.current = status;
  }, [status]);
  return (
    <p className="hidden-words" role="status">
      {words}
    </p>
  );
}
