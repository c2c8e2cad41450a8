import type { ContextItem } from '../../protocol/command.ts';

/** The message as the agent reads it: the person's words, then what they pointed at. */
export function withContext(text: string, context: readonly ContextItem[]): string {
  return context.length === 0 ? text : `${text}\n\nThe person points at:\n${context.map(inWords).join('\n')}`;
}

function inWords({ path, fromLine, toLine, text }: ContextItem): string {
  const place = path === undefined ? 'this text' : path;
  const lines = fromLine === undefined ? '' : toLine === undefined || toLine === fromLine ? `, line ${fromLine}` : `, lines ${fromLine} to ${toLine}`;
  return text === undefined ? `- ${place}${lines}` : `- ${place}${lines}:\n${fenced(text)}`;
}

/** A fence longer than any in the text, so that the text cannot close it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const SOURCES = {
  compaction: 'the summary that the agent itself made when it compacted its context',
  agent: 'a summary that the agent wrote for this purpose',
  extract: 'an extract of its messages, made without the agent; much is left out',
} as const;

export type Handover = { readonly how: keyof typeof SOURCES; readonly text: string };

/** The first message of a new conversation includes the summary of the old one, with its source. */
export function withHandover(text: string, handover: Handover | null): string {
  if (handover === null) return text;
  return `This goes on from an earlier conversation. What follows first is ${SOURCES[handover.how]}:\n${fenced(handover.text)}\n\nThe message:\n${text}`;
}
