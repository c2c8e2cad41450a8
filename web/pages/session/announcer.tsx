import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../store/cockpit-context.ts';
import { statusAnnouncement } from './status-announcement.ts';

/** Announces status changes to screen readers, never the transcript. */
export function Announcer({ sessionId }: { readonly sessionId: string }) {
  const status = useApp((state) => state.sessions.get(sessionId)?.status);
  const [message, setMessage] = useState('');
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    setMessage(statusAnnouncement(before.current, status));
    before.current = status;
  }, [status]);
  return (
    <p className="hidden-words" role="status">
      {message}
    </p>
  );
}
