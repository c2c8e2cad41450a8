import { useEffect, useRef } from 'react';
import { isEndUnseen } from '../../../src/domain/recap/unread.ts';
import { useVisible } from '../../base/browser/use-visible.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** Shorter is passing by, or a page that is still finding its place. */
const GLANCE_MS = 400;

/**
 * Someone who has the end of a session on the screen has seen what finished. Each end counts once while the session stays open:
 * a session marked as unread stays unread until it is opened again.
 */
export function useMarkSeen(sessionId: string, isAtEnd: boolean): void {
  const cockpit = useCockpit();
  const isVisible = useVisible();
  const isConnected = useApp((state) => state.phase.name === 'open' && state.seen !== undefined);
  const finishedSeq = useApp((state) => state.sessions.get(sessionId)?.finished?.seq);
  const isShown = useApp((state) => finishedSeq !== undefined && (state.open.get(sessionId)?.transcript.lastSeq ?? 0) >= finishedSeq);
  const handled = useRef(0);
  useEffect(() => {
    if (!isAtEnd || !isVisible || !isConnected || !isShown || finishedSeq === undefined || handled.current === finishedSeq) return;
    const timer = setTimeout(() => {
      handled.current = finishedSeq;
      const { sessions, seen } = cockpit.store.getState();
      const session = sessions.get(sessionId);
      if (session === undefined || seen === undefined || !isEndUnseen(session, seen)) return;
      void cockpit.noteRead(session).then((isSaved) => {
        // Again after the next connection.
        if (!isSaved) handled.current = 0;
      });
    }, GLANCE_MS);
    return () => clearTimeout(timer);
  }, [cockpit, sessionId, isAtEnd, isVisible, isConnected, isShown, finishedSeq]);
}
