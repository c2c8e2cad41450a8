import { TextQuote } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

interface QuoteButtonProps {
  readonly sessionId: string;
  readonly within: RefObject<HTMLElement | null>;
}

interface Chosen {
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

/** Text chosen in the transcript or a diff can go along with the next message. */
export function QuoteButton({ sessionId, within }: QuoteButtonProps) {
  const cockpit = useCockpit();
  const [chosen, setChosen] = useState<Chosen>();
  useEffect(() => {
    const look = () => setChosen(selectionIn(within.current));
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [within]);
  if (chosen === undefined) return null;
  const quote = () => {
    cockpit.attach(sessionId, (now) => ({ ...now, context: [...now.context, { text: chosen.text }] }));
    getSelection()?.removeAllRanges();
  };
  return (
    <button
      type="button"
      className="quote-button"
      style={{ top: chosen.top, left: chosen.left }}
      // The press itself must not take the selection away.
      onPointerDown={(event) => event.preventDefault()}
      onClick={quote}
    >
      <TextQuote size={14} aria-hidden="true" /> Quote in message
    </button>
  );
}

/** Above the selection where there is room, else below it. */
const ROOM_PX = 40;

function selectionIn(area: HTMLElement | null): Chosen | undefined {
  const selection = getSelection();
  if (area === null || selection === null || selection.isCollapsed || !area.contains(selection.anchorNode)) return undefined;
  const text = selection
    .toString()
    .trim()
    .slice(0, LIMITS.inlineBytes / 4);
  if (text === '') return undefined;
  const box = selection.getRangeAt(0).getBoundingClientRect();
  const frame = area.getBoundingClientRect();
  const above = box.top - frame.top - ROOM_PX;
  return { text, top: above > 0 ? above : box.bottom - frame.top + 8, left: Math.max(8, Math.min(box.left - frame.left, frame.width - 180)) };
}
