import type { Event } from '../../protocol/event.ts';
import { documentsOf, type SearchDocument } from './document.ts';
import { indexText } from './fold.ts';

/** One text of an event, as a range of bytes that the index takes unchanged. */
export interface PreparedDocument extends Omit<SearchDocument, 'text'> {
  readonly seq: number;
  readonly from: number;
  readonly to: number;
}

/** The texts of many events for an index in another thread: bytes are transferred, while strings would be copied and garbage-collected. */
export interface PreparedTexts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly documents: readonly PreparedDocument[];
}

/** An event that stores only the head of a text is not prepared: the index writer looks up the full text. */
export const isPrepared = ({ blobs }: Event): boolean => blobs === undefined;

export function prepareTexts(events: readonly Event[]): PreparedTexts {
  const texts: string[] = [];
  const documents: PreparedDocument[] = [];
  let end = 0;
  for (const event of events) {
    if (!isPrepared(event)) continue;
    for (const { text, ...document } of documentsOf(event)) {
      const words = indexText(text);
      const from = end;
      end += Buffer.byteLength(words);
      texts.push(words);
      documents.push({ ...document, seq: event.seq, from, to: end });
    }
  }
  return { bytes: bytesOf(texts, documents, end), documents };
}

function bytesOf(texts: readonly string[], documents: readonly PreparedDocument[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const into = Buffer.from(bytes.buffer);
  for (const [index, text] of texts.entries()) into.write(text, documents[index]?.from ?? 0);
  return bytes;
}

/** The event for usage and health, which read no long text except that of an error. */
export function withoutTexts(event: Event): Event {
  if (!isPrepared(event)) return event;
  switch (event.type) {
    case 'user.message':
    case 'assistant.thinking':
      return { ...event, text: '' };
    case 'assistant.text':
      return event.error === undefined ? { ...event, text: '' } : event;
    case 'tool.completed':
      return { ...event, output: '', ...(event.change && { change: { ...event.change, patch: '' } }) };
    default:
      return event;
  }
}
