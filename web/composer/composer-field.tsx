import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useActions } from '../actions/actions-context.ts';
import { useApp, useCockpit } from '../app/cockpit-context.ts';

interface ComposerFieldProps {
  readonly sessionId: string;
  readonly placeholder: string;
  readonly onSend: () => void;
  readonly onSteer: () => void;
}

/** On a phone the Enter key of the keyboard makes a new line; the button sends. */
const hasKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Grows with its text. Enter sends, Shift+Enter makes a line, Ctrl or Cmd+Enter sends into the running turn. */
export function ComposerField({ sessionId, placeholder, onSend, onSteer }: ComposerFieldProps) {
  const cockpit = useCockpit();
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useApp((state) => state.drafts.get(sessionId) ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useEffect(() => {
    const area = field.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);
  useActions({ 'session.write': () => field.current?.focus() });
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    const isOrder = event.ctrlKey || event.metaKey;
    if (!isOrder && !hasKeyboard()) return;
    event.preventDefault();
    isOrder ? onSteer() : onSend();
  };
  return (
    <textarea
      ref={field}
      rows={1}
      value={text}
      aria-label="Message"
      placeholder={placeholder}
      onChange={(event) => cockpit.setDraft(sessionId, event.target.value)}
      onKeyDown={onKey}
    />
  );
}
