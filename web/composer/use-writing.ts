import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useCockpit } from '../app/cockpit-context.ts';
import type { Typed } from './completion.ts';

/** Puts a text into the field with the caret where it belongs, and lets the field be as high as its text. */
export function useWriting(sessionId: string, field: RefObject<HTMLTextAreaElement | null>, text: string, setCaret: (at: number) => void) {
  const cockpit = useCockpit();
  const goesTo = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = field.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
    if (goesTo.current !== undefined) area.setSelectionRange(goesTo.current, goesTo.current);
    goesTo.current = undefined;
  }, [field, text]);
  return (typed: Typed) => {
    goesTo.current = typed.caret;
    setCaret(typed.caret);
    cockpit.setDraft(sessionId, typed.text);
  };
}
