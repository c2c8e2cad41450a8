import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useActions } from '../../../base/actions/actions-context.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { CompletionList, optionId } from './completion-list.tsx';
import { useCompletion } from './use-completion.ts';
import { useFieldText } from './use-field-text.ts';
import { useHistory } from './use-history.ts';

interface ComposerFieldProps {
  readonly sessionId: string;
  readonly onSend: () => void;
  readonly onSteer: () => void;
}

/** On a phone, Enter makes a new line and the button sends. */
const hasKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Grows with its text. Enter sends, Shift+Enter makes a new line, Ctrl or Cmd+Enter sends into the running turn, the arrow keys bring back sent messages. */
export function ComposerField({ sessionId, onSend, onSteer }: ComposerFieldProps) {
  const cockpit = useCockpit();
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const text = useApp((state) => state.drafts.get(sessionId) ?? '');
  /** Unset while the field is not focused. */
  const [caret, setCaret] = useState<number>();
  const write = useFieldText(sessionId, field, text, setCaret);
  const { proposals, chosen, take, onKey: onListKey } = useCompletion(sessionId, text, caret, write);
  const onHistoryKey = useHistory(sessionId, text, write);
  useActions({ 'session.write': () => field.current?.focus() });
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (onListKey(event) || onHistoryKey(event) || event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    const isModified = event.ctrlKey || event.metaKey;
    if (!isModified && !hasKeyboard()) return;
    event.preventDefault();
    isModified ? onSteer() : onSend();
  };
  const isListed = proposals.length > 0;
  return (
    <>
      {isListed && <CompletionList id={listId} proposals={proposals} chosen={chosen} onTake={(proposal) => write(take(proposal))} />}
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label="Message"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(isListed && { 'aria-controls': listId, 'aria-activedescendant': optionId(listId, chosen) })}
        placeholder="Message, / for commands, @ for files"
        onChange={(event) => {
          setCaret(event.target.selectionStart);
          cockpit.setDraft(sessionId, event.target.value);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onBlur={() => setCaret(undefined)}
        onKeyDown={onKey}
      />
    </>
  );
}
