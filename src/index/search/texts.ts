import { documentsOf, type SearchDocument } from '../../domain/search/document.ts';
import { indexText } from '../../domain/search/fold.ts';
import { isPrepared, type PreparedTexts } from '../../domain/search/prepared.ts';
import type { Event } from '../../protocol/event.ts';

/** A text as the index stores it. */
export type Words = string | Uint8Array;

export interface IndexedText {
  readonly document: Omit<SearchDocument, 'text'>;
  readonly words: Words;
}

/** The indexed texts of an event: prepared by the thread that read it, or made here. */
export function textsSource(prepared: PreparedTexts | undefined): (event: Event) => readonly IndexedText[] {
  if (prepared === undefined) return textsOf;
  const bySeq = new Map<number, IndexedText[]>();
  for (const document of prepared.documents) {
    const text = { document, words: prepared.bytes.subarray(document.from, document.to) };
    const others = bySeq.get(document.seq);
    if (others === undefined) bySeq.set(document.seq, [text]);
    else others.push(text);
  }
  return (event) => (isPrepared(event) ? (bySeq.get(event.seq) ?? []) : textsOf(event));
}

const textsOf = (event: Event): readonly IndexedText[] => documentsOf(event).map((document) => ({ document, words: indexText(document.text) }));
