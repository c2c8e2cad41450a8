import { type RefObject, useRef } from 'react';
import * as z from 'zod/mini';
import type { Item } from '../../../../src/domain/transcript/item.ts';
import { useCockpit } from '../../../store/cockpit-context.ts';
import { useFormDraft } from '../../common/use-form-draft.ts';
import { isFocused } from './use-near.ts';

interface Note {
  /** The text in the editor; undefined while it is closed. */
  readonly typed: string | undefined;
  /** The person has just opened it. When a reload or scrolling brings it back, it doesn't take the focus. */
  readonly isJustOpened: boolean;
  readonly type: (text: string) => void;
  readonly write: () => void;
  readonly save: (text: string) => Promise<void>;
  readonly close: () => void;
}

const Typed = z.optional(z.string());

/** The note on an item while someone edits it. */
export function useNote(sessionId: string, item: Item, note: string, container: RefObject<HTMLElement | null>): Note {
  const cockpit = useCockpit();
  const isJustOpened = useRef(false);
  const [typed, setTyped] = useFormDraft<string | undefined>(`note:${sessionId}:${item.key}`, Typed, undefined);
  const typedNow = useRef(typed);
  typedNow.current = typed;
  const close = () => {
    // Move the focus only if it is still in the editor: the person may have moved on while the server answered.
    const isInField = isFocused(container.current?.querySelector<HTMLElement>('.item-note.editing') ?? null);
    setTyped(undefined);
    if (isInField) container.current?.querySelector<HTMLElement>('.note-button')?.focus();
  };
  const save = async (text: string) => {
    const isSaved = text === note || (await cockpit.mark(sessionId, item.seq, { note: text === '' ? null : text }));
    // Text typed while the server answered is not saved yet.
    if (isSaved && typedNow.current?.trim() === text) close();
  };
  const write = () => {
    isJustOpened.current = true;
    setTyped(typed ?? note);
  };
  return { typed, isJustOpened: isJustOpened.current, type: setTyped, write, save, close };
}
