import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useCockpit } from '../../../store/cockpit-context.ts';
import type { Typed } from './completion.ts';

/** Measuring in script costs two layouts per letter, so do it only where the browser can't size the field itself. */
const SIZES_ITSELF = CSS.supports('field-sizing', 'content');

function fitToText(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}

/** Sets the field's text and caret, and keeps the field as high as its text. */
export function useFieldText(sessionId: string, field: RefObject<HTMLTextAreaElement | null>, text: string, setCaret: (at: number) => void) {
  const cockpit = useCockpit();
  const nextCaret = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = field.current;
    if (area === null) return;
    if (!SIZES_ITSELF) fitToText(area);
    if (nextCaret.current !== undefined) area.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  }, [field, text]);
  return (typed: Typed) => {
    nextCaret.current = typed.caret;
    setCaret(typed.caret);
    cockpit.setDraft(sessionId, typed.text);
  };
}
