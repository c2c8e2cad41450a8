import { Star } from 'lucide-react';
import { type ReactNode, Suspense, useRef } from 'react';
import * as z from 'zod/mini';
import type { Item } from '../../src/domain/transcript/item.ts';
import { useCockpit } from '../app/cockpit-context.ts';
import { lazily } from '../ui/lazily.ts';
import { useKept } from '../ui/use-kept.ts';
import { type Marking, MarkingContext } from './marking-context.ts';
import { NoteLine } from './note-line.tsx';

const NoteEditor = lazily(() => import('./note-editor.tsx'));

interface MarkedProps {
  readonly sessionId: string;
  readonly item: Item;
  readonly children: ReactNode;
}

const Typed = z.optional(z.string());

/** An item with what people noted on it, and the place where they do. */
export function Marked({ sessionId, item, children }: MarkedProps) {
  const cockpit = useCockpit();
  const around = useRef<HTMLDivElement>(null);
  const isAskedFor = useRef(false);
  // While there are words, even none at all, the note is being written.
  const [typed, setTyped] = useKept<string | undefined>(`note:${sessionId}:${item.key}`, Typed, undefined);
  const { star: isStarred = false, note = '' } = item.marks ?? {};
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
      {typed === undefined && item.marks !== undefined && <NoteLine marks={item.marks} onChange={marking.write} />}
      {typed !== undefined && (
        <Suspense>
          <NoteEditor text={typed} isAskedFor={isAskedFor.current} onType={setTyped} onKeep={(words) => void keep(words)} onLeave={close} />
        </Suspense>
      )}
    </div>
  );
}

const isMessage = ({ kind, seq }: Item): boolean => seq > 0 && (kind === 'user' || kind === 'text');
