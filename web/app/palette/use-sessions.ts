import { useEffect, useMemo, useState } from 'react';
import type { Session } from '../../../src/protocol/session.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** Long enough that a word is one question, short enough that the lines follow the fingers. */
const PAUSE_MS = 120;

/** Sessions for the words: what the page knows at once, and what the server finds among all of them; what waits first, then the latest. */
export function useSessions(words: string): readonly Session[] {
  const cockpit = useCockpit();
  const known = useApp((state) => state.sessions);
  const [found, setFound] = useState<readonly Session[]>([]);
  const asked = words.trim();
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(() => void cockpit.findSessions(asked).then((sessions) => !isOld && setFound(sessions)), asked === '' ? 0 : PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [cockpit, asked]);
  return useMemo(() => merged(known, found), [known, found]);
}

/** What the page hears live is newer than what was found. */
function merged(known: ReadonlyMap<string, Session>, found: readonly Session[]): readonly Session[] {
  const all = new Map([...found.map((session) => [session.id, session] as const), ...known]);
  return [...all.values()]
    .filter(({ archived }) => archived !== true)
    .sort((a, b) => Number(b.waiting > 0) - Number(a.waiting > 0) || b.updatedAt.localeCompare(a.updatedAt));
}
