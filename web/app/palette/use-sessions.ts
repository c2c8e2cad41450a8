import { useEffect, useMemo, useState } from 'react';
import type { Session } from '../../../src/protocol/session.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** Long enough to send one request per word, short enough to feel immediate. */
const PAUSE_MS = 120;

/** Matching sessions: those the page knows at once, then those the server finds. Sessions with pending requests come first, then the latest. */
export function useSessions(query: string): readonly Session[] {
  const cockpit = useCockpit();
  const known = useApp((state) => state.sessions);
  const [found, setFound] = useState<readonly Session[]>([]);
  const asked = query.trim();
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

/** What the page knows live is newer than what the server found. */
function merged(known: ReadonlyMap<string, Session>, found: readonly Session[]): readonly Session[] {
  const all = new Map([...found.map((session) => [session.id, session] as const), ...known]);
  return [...all.values()]
    .filter(({ archived }) => archived !== true)
    .sort((a, b) => Number(b.waiting > 0) - Number(a.waiting > 0) || b.updatedAt.localeCompare(a.updatedAt));
}
