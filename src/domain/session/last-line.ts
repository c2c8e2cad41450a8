import type { Event } from '../../protocol/event.ts';

const CHARS = 140;

/** The one line that lists show of a session, when this event gives a newer one. */
export function lastLineOf(event: Event): string | undefined {
  switch (event.type) {
    case 'assistant.text':
      return event.parentToolUseId === undefined ? lastWords(event.text) : undefined;
    case 'user.message':
      return event.origin === 'agent' ? undefined : lastWords(event.text);
    case 'tool.started':
      return clip(`${event.name} ${subject(event.input)}`);
    case 'permission.requested':
      return clip(`wants ${event.tool} ${subject(event.input)}`);
    case 'turn.completed':
      return event.isError ? clip(event.errors?.[0] ?? event.result ?? event.stopReason) : undefined;
    case 'notice.shown':
      return event.level === 'error' ? clip(event.text) : undefined;
    case 'session.exited':
      return event.reason === 'died' ? 'The agent ended unexpectedly' : undefined;
    default:
      return undefined;
  }
}

/** What a tool call is about, in a few words: the first short text among its arguments. */
function subject(input: Readonly<Record<string, unknown>>): string {
  const words = Object.values(input).find((value) => typeof value === 'string');
  return typeof words === 'string' ? words : '';
}

function lastWords(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  return last === undefined ? undefined : clip(last);
}

function clip(text: string): string {
  const line = withoutMarks(text).replace(/\s+/g, ' ').trim();
  return line.length > CHARS ? `${line.slice(0, CHARS - 1)}…` : line;
}

/** Lists show words, not markdown: signs of lists, headings, quotes and emphasis are left out. */
const withoutMarks = (text: string): string => text.replace(/^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+/gm, '').replace(/\*\*|__|`/g, '');
