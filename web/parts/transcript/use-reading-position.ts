import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import { useCockpit } from '../../store/cockpit-context.ts';
import { shownIn } from '../../store/state/app-state.ts';
import { useIsAddressed } from '../address/addressed-context.ts';

/** Where someone was reading when they left the page: the topmost row on the screen, and how far from the edge it starts. */
const ReadingPosition = z.object({ sessionId: z.string(), hash: z.string(), seq: z.int(), px: z.number() });
type ReadingPosition = z.infer<typeof ReadingPosition>;

const KEY = 'signalbox:left';

/** For this load of the page; the first transcript that is drawn takes it. */
let saved: ReadingPosition | undefined | 'not read' = 'not read';

/** Where this session was being read before a reload, until the address says something else. */
export function useReadingPosition(sessionId: string, hash: string): ReadingPosition | undefined {
  const isAddressed = useIsAddressed();
  if (saved === 'not read' && isAddressed) saved = takePosition();
  const own = useRef(isAddressed && saved !== 'not read' ? saved : undefined);
  if (own.current?.sessionId !== sessionId || own.current.hash !== hash) own.current = undefined;
  useEffect(() => {
    saved = undefined;
  }, []);
  return own.current;
}

/** Saves where this page was, for the next load. */
export function useSavePosition(
  sessionId: string,
  isAtEnd: boolean,
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
): void {
  const cockpit = useCockpit();
  const isAddressed = useIsAddressed();
  useEffect(() => {
    if (!isAddressed) return;
    const save = () => {
      const top = scroller.current?.scrollTop ?? 0;
      const row = virtualizer.getVirtualItems().find((item) => item.end > top);
      const seq = row === undefined ? undefined : shownIn(cockpit.store.getState(), sessionId)?.items.get(String(row.key))?.seq;
      savePosition(isAtEnd || row === undefined || seq === undefined ? undefined : { sessionId, hash: location.hash.slice(1), seq, px: row.start - top });
    };
    window.addEventListener('pagehide', save);
    return () => window.removeEventListener('pagehide', save);
  }, [cockpit, sessionId, isAtEnd, isAddressed, scroller, virtualizer]);
}

/** Saves nothing for someone who was at the end. */
function savePosition(position: ReadingPosition | undefined): void {
  try {
    if (position === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(position));
  } catch {
    // Storage is forbidden or full: a reload then opens the end.
  }
}

/** The saved position, once, and only after a reload: a link opens where it says. */
function takePosition(): ReadingPosition | undefined {
  const [load] = performance.getEntriesByType('navigation');
  const isReload = load !== undefined && 'type' in load && load.type === 'reload';
  const found = isReload ? readPosition() : undefined;
  savePosition(undefined);
  return found;
}

function readPosition(): ReadingPosition | undefined {
  try {
    return ReadingPosition.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''));
  } catch {
    return undefined;
  }
}
