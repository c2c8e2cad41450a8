import { TextQuote } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

interface QuoteButtonProps {
  readonly sessionId: string;
  readonly within: RefObject<HTMLElement | null>;
}

interface SelectedText {
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

/** Attaches the text selected in the transcript or a diff to the next message. */
export function QuoteButton({ sessionId, within }: QuoteButtonProps) {
  const cockpit = useCockpit();
  const [selected, setSelected] = useState<SelectedText>();
  useEffect(() => {
    const update = () => setSelected(selectionIn(within.current));
    document.addEventListener('selectionchange', update);
    return () => document.removeEventListener('selectionchange', update);
  }, [within]);
  if (selected === undefined) return null;
  const quote = () => {
    cockpit.attach(sessionId, (now) => ({ ...now, context: [...now.context, { text: selected.text }] }));
    getSelection()?.removeAllRanges();
  };
  return (
    <button
      type="button"
      className="quote-button"
      style={{ top: selected.top, left: selected.left }}
      // Pressing the button must not clear the selection.
      onPointerDown={(event) => event.preventDefault()}
      onClick={quote}
    >
      <TextQuote size={14} aria-hidden="true" /> Quote in message
    </button>
  );
}

/** The button goes above the selection if there is this much room, otherwise below it. */
const ROOM_PX = 40;

function selectionIn(area: HTMLElement | null): SelectedText | undefined {
  const selection = getSelection();
  if (area === null || selection === null || selection.isCollapsed || !area.contains(selection.anchorNode)) return undefined;
  const text = selection
    .toString()
    .trim()
    .slice(0, LIMITS.inlineBytes / 4);
  if (text === '') return undefined;
  const bounds = selection.getRangeAt(0).getBoundingClientRect();
  const frame = area.getBoundingClientRect();
  const above = bounds.top - frame.top - ROOM_PX;
  return { text, top: above > 0 ? above : bounds.bottom - frame.top + 8, left: Math.max(8, Math.min(bounds.left - frame.left, frame.width - 180)) };
}
