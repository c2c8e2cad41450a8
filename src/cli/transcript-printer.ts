import type { Event } from '../protocol/event.ts';
import type { Delta } from '../protocol/frame.ts';
import { harmless, type Paint } from './paint.ts';

/** How much of a tool's input or output a terminal gets; the cockpit has all of it. */
const LINE_CHARS = 160;

interface TranscriptPrinter {
  delta(delta: Delta): void;
  event(event: Event): void;
}

/** Prints each character of an answer once, whether it came in progress, as a whole, or twice. */
export function createTranscriptPrinter(write: (text: string) => void, paint: Paint): TranscriptPrinter {
  const printed = new Map<string, number>();
  let atLineStart = true;
  const put = (text: string): void => {
    if (text === '') return;
    write(text);
    atLineStart = text.endsWith('\n');
  };
  const line = (text: string): void => put(`${atLineStart ? '' : '\n'}${text}\n`);
  const grow = (itemId: string, offset: number, text: string): void => {
    const done = printed.get(itemId) ?? 0;
    if (offset > done) return;
    put(harmless(text.slice(done - offset)));
    printed.set(itemId, Math.max(done, offset + text.length));
  };
  return {
    delta: ({ kind, itemId, offset, text, parentToolUseId }) => {
      if (kind === 'text' && parentToolUseId === undefined) grow(itemId, offset, text);
    },
    event: (event) => {
      if (event.type === 'assistant.text' && event.parentToolUseId === undefined) {
        grow(event.itemId ?? `${event.messageId}:${event.index}`, 0, event.text);
        if (!atLineStart) put('\n');
      }
      const words = lineFor(event, paint);
      if (words !== undefined) line(words);
    },
  };
}

/** One short line for what is not the answer itself. */
function lineFor(event: Event, paint: Paint): string | undefined {
  switch (event.type) {
    case 'tool.started':
      return paint.dim(`• ${harmless(event.name)} ${brief(JSON.stringify(event.input))}`);
    case 'tool.completed':
      return event.isError ? paint.red(`  failed: ${brief(event.output)}`) : undefined;
    case 'permission.requested':
      return paint.yellow(`? ${harmless(event.tool)} asks: ${brief(event.title ?? JSON.stringify(event.input))}`);
    case 'permission.resolved':
      return paint.dim(`  ${event.outcome}`);
    case 'notice.shown':
      return paint.yellow(brief(event.text));
    case 'retry.reported':
      return paint.dim(`  tries again: ${brief(event.error)}`);
    case 'output.lost':
      return paint.red(`  output was lost: ${brief(event.reason)}`);
    default:
      return undefined;
  }
}

const brief = (text: string): string => harmless(text.replace(/\s+/g, ' ')).slice(0, LINE_CHARS);
