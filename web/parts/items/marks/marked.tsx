import { Star } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { marksAfter } from '../../../../src/domain/transcript/fold-item-marked.ts';
import type { Item } from '../../../../src/domain/transcript/item.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { marksBeyond } from '../../../store/sessions/marks-beyond.ts';
import { MarkingContext } from './marking-context.ts';
import { NoteEditor } from './note-editor.tsx';
import { NoteLine } from './note-line.tsx';
import { useNear } from './use-near.ts';
import { useNote } from './use-note.ts';

interface MarkedProps {
  readonly sessionId: string;
  readonly item: Item;
  readonly children: ReactNode;
}

/** A message is marked by people at the page; whatever else bears a mark shows it. The kind decides, so that nothing is drawn anew when its last word comes. */
export const isMarkable = (item: Item): boolean => isMessage(item) || item.marks !== undefined;

/** An item with what people noted on it, and the place where they do. */
export function Marked({ sessionId, item, children }: MarkedProps) {
  const cockpit = useCockpit();
  const around = useRef<HTMLDivElement>(null);
  const [isNear, listeners] = useNear(around);
  const later = useApp((state) => marksBeyond(state.open.get(sessionId), item.key));
  const marks = later === undefined ? item.marks : later.reduce(marksAfter, item.marks ?? {});
  const { star: isStarred = false, note = '' } = marks ?? {};
  const { typed, isAskedFor, type, write, keep, close } = useNote(sessionId, item, note, around);
  const toggleStar = () => void cockpit.mark(sessionId, item.seq, { star: !isStarred });
  return (
    <div ref={around} {...listeners}>
      {isStarred && <Star className="row-star" size={11} fill="currentColor" role="img" aria-label="Starred" />}
      <MarkingContext value={isMessage(item) ? { isNear, isStarred, toggleStar, write } : undefined}>{children}</MarkingContext>
      {typed === undefined && marks !== undefined && <NoteLine marks={marks} onChange={write} />}
      {typed !== undefined && <NoteEditor text={typed} isAskedFor={isAskedFor} onType={type} onKeep={(words) => void keep(words)} onLeave={close} />}
    </div>
  );
}

const isMessage = ({ kind }: Item): boolean => kind === 'user' || kind === 'text';
