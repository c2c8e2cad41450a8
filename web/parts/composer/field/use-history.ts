import { type KeyboardEvent, useRef } from 'react';
import { useCockpit } from '../../../store/cockpit-context.ts';
import type { Typed } from './completion.ts';
import { type Recalled, recall, sentBefore } from './history.ts';

/** Arrow up at the very start goes back through sent messages; arrow down at the very end goes forward again. */
export function useHistory(sessionId: string, text: string, write: (typed: Typed) => void) {
  const cockpit = useCockpit();
  const recalled = useRef<Recalled>(undefined);
  return (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isBack = event.key === 'ArrowUp' && selectionEnd === 0;
    const isForward = event.key === 'ArrowDown' && selectionStart === text.length && recalled.current?.text === text;
    if ((!isBack && !isForward) || event.shiftKey || event.altKey) return false;
    // Read only on the key press: subscribing would render the field with every word the agent writes.
    const transcript = cockpit.store.getState().open.get(sessionId)?.transcript;
    const next = recall(sentBefore(transcript), recalled.current, text, isBack ? 1 : -1);
    if (next === undefined) return false;
    event.preventDefault();
    recalled.current = next;
    write({ text: next.text, caret: isBack ? 0 : next.text.length });
    return true;
  };
}
