import { type RefObject, useRef } from 'react';
import * as z from 'zod/mini';
import type { Item } from '../../../../src/domain/transcript/item.ts';
import { useCockpit } from '../../../store/cockpit-context.ts';
import { useKept } from '../../common/use-kept.ts';
import { isFocused } from './use-near.ts';

interface Note {
  /** While there are words, even none at all, the note is being written. */
  readonly typed: string | undefined;
  /** A person has just opened it: a reload or the scroll brings it back without the focus. */
  readonly isAskedFor: boolean;
  readonly type: (text: string) => void;
  readonly write: () => void;
  readonly keep: (words: string) => Promise<void>;
  readonly close: () => void;
}

const Typed = z.optional(z.string());

/** The note on an item, while somebody writes it. */
export function useNote(sessionId: string, item: Item, note: string, around: RefObject<HTMLElement | null>): Note {
  const cockpit = useCockpit();
  const isAskedFor = useRef(false);
  const [typed, setTyped] = useKept<string | undefined>(`note:${sessionId}:${item.key}`, Typed, undefined);
  const typedNow = useRef(typed);
  typedNow.current = typed;
  const close = () => {
    // Only from the field: a hand that went on while the server was asked keeps its place.
    const isInField = isFocused(around.current?.querySelector<HTMLElement>('.item-note.editing') ?? null);
    setTyped(undefined);
    if (isInField) around.current?.querySelector<HTMLElement>('.note-button')?.focus();
  };
  const keep = async (words: string) => {
    const isKept = words === note || (await cockpit.mark(sessionId, item.seq, { note: words === '' ? null : words }));
    // What was typed while the server was asked is not in it.
    if (isKept && typedNow.current?.trim() === words) close();
  };
  const write = () => {
    isAskedFor.current = true;
    setTyped(typed ?? note);
  };
  return { typed, isAskedFor: isAskedFor.current, type: setTyped, write, keep, close };
}
