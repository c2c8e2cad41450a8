import { useLocation } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Item } from '../../src/domain/transcript/item.ts';
import { useApp, useCockpit } from '../app/cockpit-context.ts';

/** An address that ends in `#e<seq>` opens at that event, however far back it lies. */
export function useEventTarget(sessionId: string, virtualizer: Virtualizer<HTMLDivElement, Element>, rows: readonly string[]): void {
  const hash = useLocation({ select: (location) => location.hash });
  const seq = Number(/^e(\d+)$/.exec(hash)?.[1] ?? 0);
  const cockpit = useCockpit();
  const firstSeq = useApp((state) => state.open.get(sessionId)?.transcript.firstSeq ?? 0);
  const items = useApp((state) => state.open.get(sessionId)?.transcript.items);
  const done = useRef('');
  useEffect(() => {
    if (seq === 0 || firstSeq === 0 || items === undefined || done.current === hash) return;
    if (seq < firstSeq) return void cockpit.loadOlder(sessionId);
    done.current = hash;
    virtualizer.scrollToIndex(rowOf(seq, rows, items), { align: 'center' });
  }, [cockpit, sessionId, hash, seq, firstSeq, items, rows, virtualizer]);
}

/** The row that holds the event, or the last one before it. */
function rowOf(seq: number, rows: readonly string[], items: ReadonlyMap<string, Item>): number {
  const found = rows.findLastIndex((key) => (items.get(key)?.seq ?? Number.POSITIVE_INFINITY) <= seq);
  return Math.max(0, found);
}
