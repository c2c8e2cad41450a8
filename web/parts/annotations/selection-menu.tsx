import { MessageSquarePlus, TextQuote } from 'lucide-react';
import { type RefObject, useContext, useEffect, useRef, useState } from 'react';
import type { ContextItem } from '../../../src/protocol/command.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { useActions } from '../../base/actions/actions-context.ts';
import { KeyHint } from '../../base/ui/key-hint.tsx';
import { useCockpit } from '../../store/cockpit-context.ts';
import { CommentContext, type CommentPlace, type CommentValue, placeOfSelection } from './comment-context.ts';

interface SelectionMenuProps {
  readonly sessionId: string;
  readonly within: RefObject<HTMLElement | null>;
}

interface Selected {
  readonly text: string;
  /** Unset if nobody can comment on it. */
  readonly place: CommentPlace | undefined;
  readonly top: number;
  readonly left: number;
}

/** What can be done with selected text: comment on it, or attach it to the next message. */
export function SelectionMenu({ sessionId, within }: SelectionMenuProps) {
  const cockpit = useCockpit();
  const comments = useContext(CommentContext);
  const [selected, select] = useState<Selected>();
  // A press with a thumb ends the selection before it becomes a click.
  const isPressed = useRef(false);
  useEffect(() => {
    const update = () => !isPressed.current && select(selectionIn(within.current, comments?.sources));
    const release = () => {
      if (!isPressed.current) return;
      isPressed.current = false;
      update();
    };
    document.addEventListener('selectionchange', update);
    document.addEventListener('scroll', update, { capture: true, passive: true });
    document.addEventListener('click', release);
    document.addEventListener('pointercancel', release);
    return () => {
      document.removeEventListener('selectionchange', update);
      document.removeEventListener('scroll', update, { capture: true });
      document.removeEventListener('click', release);
      document.removeEventListener('pointercancel', release);
    };
  }, [within, comments]);
  const place = selected?.place;
  const comment = comments !== undefined && place !== undefined ? () => comments.open(place) : undefined;
  useActions({ 'session.comment': comment });
  if (selected === undefined) return null;
  const quote = () => {
    cockpit.attach(sessionId, (now) => ({ ...now, context: [...now.context, quoteOf(selected)] }));
    getSelection()?.removeAllRanges();
  };
  return (
    <div
      className="selection-menu"
      role="toolbar"
      aria-label="Selected text"
      style={{ top: selected.top, left: selected.left }}
      // Pressing a button must not clear the selection.
      onPointerDown={(event) => {
        isPressed.current = true;
        event.preventDefault();
      }}
    >
      {comment !== undefined && (
        <button type="button" aria-keyshortcuts="c" onClick={comment}>
          <MessageSquarePlus size={14} aria-hidden="true" /> Comment <KeyHint>c</KeyHint>
        </button>
      )}
      <button type="button" onClick={quote}>
        <TextQuote size={14} aria-hidden="true" /> Quote in message
      </button>
    </div>
  );
}

/** A quote of code keeps its file and lines. */
function quoteOf({ text, place }: Selected): ContextItem {
  if (place?.target.type !== 'code' || place.target.side === 'old') return { text };
  const { file, lineStart, lineEnd = lineStart } = place.target;
  return { path: file, fromLine: lineStart, toLine: lineEnd, text };
}

/** The menu goes above the selection if there is this much room, otherwise below it. A phone shows its own menu above. */
const ROOM_PX = 48;
const WIDTH_PX = 280;
const EDGE_PX = 8;

function selectionIn(area: HTMLElement | null, sources: CommentValue['sources'] | undefined): Selected | undefined {
  const selection = getSelection();
  if (area === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!area.contains(range.commonAncestorContainer) || isInField(range.commonAncestorContainer)) return undefined;
  const text = selection
    .toString()
    .trim()
    .slice(0, LIMITS.inlineBytes / 4);
  if (text === '') return undefined;
  const bounds = range.getBoundingClientRect();
  const isAbove = bounds.top > ROOM_PX && !matchMedia('(pointer: coarse)').matches;
  const top = isAbove ? bounds.top - ROOM_PX + EDGE_PX : Math.min(bounds.bottom + EDGE_PX * 2, innerHeight - ROOM_PX);
  const left = Math.max(EDGE_PX, Math.min(bounds.left, innerWidth - WIDTH_PX - EDGE_PX));
  return { text, place: sources && placeOfSelection(sources, range), top, left };
}

const isInField = (node: Node): boolean => (node instanceof Element ? node : node.parentElement)?.closest('input, textarea, [contenteditable]') !== null;
