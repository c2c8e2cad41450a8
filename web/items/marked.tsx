import { Star } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import * as z from 'zod/mini';
import { marksAfter } from '../../src/domain/transcript/fold-item-marked.ts';
import type { Item } from '../../src/domain/transcript/item.ts';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { marksBeyond } from '../store/marks-beyond.ts';
import { useKept } from '../ui/use-kept.ts';
import { type Marking, MarkingContext } from './marking-context.ts';
import { NoteEditor } from './note-editor.tsx';
import { NoteLine } from './note-line.tsx';

interface MarkedProps {
  readonly sessionId: string;
  readonly item: Item;
  readonly children: ReactNode;
}

const Typed = z.optional(z.string());

/** A message is marked by people at the page; whatever else bears a mark shows it. The kind decides, so that nothing is drawn anew when its last word comes. */
export const isMarkable = (item: Item): boolean => isMessage(item) || item.marks !== undefined;

/** An item with what people noted on it, and the place where they do. */
export function Marked({ sessionId, item, children }: MarkedProps) {
  const cockpit = useCockpit();
  const around = useRef<HTMLDivElement>(null);
  const isAskedFor = useRef(false);
  // While there are words, even none at all, the note is being written.
  const [typed, setTyped] = useKept<string | undefined>(`note:${sessionId}:${item.key}`, Typed, undefined);
  const later = useApp((state) => marksBeyond(state.open.get(sessionId), item.key));
  const marks = later === undefined ? item.marks : later.reduce(marksAfter, item.marks ?? {});
  const { star: isStarred = false, note = '' } = marks ?? {};
  const close = () => {
    setTyped(undefined);
    around.current?.querySelector<HTMLElement>('.note-button')?.focus();
  };
  const keep = async (words: string) => {
    if (words === note || (await cockpit.mark(sessionId, item.seq, { note: words === '' ? null : words }))) close();
  };
  const marking: Marking = {
    isStarred,
    toggleStar: () => void cockpit.mark(sessionId, item.seq, { star: !isStarred }),
    write: () => {
      isAskedFor.current = true;
      setTyped(typed ?? note);
    },
  };
  return (
    <div ref={around}>
      {isStarred && <Star className="row-star" size={11} fill="currentColor" role="img" aria-label="Starred" />}
      <MarkingContext value={isMessage(item) ? marking : undefined}>{children}</MarkingContext>
      {typed === undefined && marks !== undefined && <NoteLine marks={marks} onChange={marking.write} />}
      {typed !== undefined && (
        <NoteEditor text={typed} isAskedFor={isAskedFor.current} onType={setTyped} onKeep={(words) => void keep(words)} onLeave={close} />
      )}
    </div>
  );
}

const isMessage = ({ kind }: Item): boolean => kind === 'user' || kind === 'text';
