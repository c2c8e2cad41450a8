import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useCockpit } from '../../../store/cockpit-context.ts';
import type { Typed } from './completion.ts';

/** Measured by hand, the page is laid out twice for every letter: only where the browser cannot do it. */
const FITS_ITSELF = CSS.supports('field-sizing', 'content');

function fitToText(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}

/** Puts a text into the field with the caret where it belongs, and lets the field be as high as its text. */
export function useWriting(sessionId: string, field: RefObject<HTMLTextAreaElement | null>, text: string, setCaret: (at: number) => void) {
  const cockpit = useCockpit();
  const goesTo = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = field.current;
    if (area === null) return;
    if (!FITS_ITSELF) fitToText(area);
    if (goesTo.current !== undefined) area.setSelectionRange(goesTo.current, goesTo.current);
    goesTo.current = undefined;
  }, [field, text]);
  return (typed: Typed) => {
    goesTo.current = typed.caret;
    setCaret(typed.caret);
    cockpit.setDraft(sessionId, typed.text);
  };
}
