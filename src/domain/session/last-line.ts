import type { Event } from '../../protocol/event.ts';
import { requestText } from '../permission/request-text.ts';
import { callText } from '../transcript/call-text.ts';

const CHARS = 140;

/** The line that lists show for a session, if this event has a newer one. */
export function lastLineOf(event: Event): string | undefined {
  switch (event.type) {
    case 'assistant.text':
      return event.parentToolUseId === undefined ? lastWords(event.text) : undefined;
    case 'user.message':
      return event.origin === 'agent' ? undefined : lastWords(event.text);
    case 'tool.started':
      return clip(callText(event.name, event.input));
    case 'permission.requested':
      return clip(requestText(event));
    case 'turn.completed':
      return event.isError ? words(event.errors?.[0] ?? event.result ?? event.stopReason) : undefined;
    case 'notice.shown':
      return event.level === 'error' ? words(event.text) : undefined;
    case 'session.exited':
      return event.reason === 'died' ? 'The agent crashed' : undefined;
    default:
      return undefined;
  }
}

function lastWords(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  return last === undefined ? undefined : words(last);
}

/** For prose. Calls and requests keep every character, because it is part of the command. */
const words = (text: string): string => clip(withoutMarks(text));

/** Lists show plain text: Markdown for lists, headings, quotes and emphasis is removed. */
const withoutMarks = (text: string): string => text.replace(/^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+/gm, '').replace(/\*\*|__|`/g, '');

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > CHARS ? `${line.slice(0, CHARS - 1)}…` : line;
}
