import type { ContextItem } from '../../../../src/protocol/command.ts';

/** Longer quotes are cut in a chip. */
const SHOWN_CHARS = 32;

/** `merge.ts:38–44`, or the start of a quote. */
export function contextText({ path, fromLine, toLine, text }: ContextItem): string {
  if (path === undefined) return `“${shortened((text ?? '').replace(/\s+/g, ' ').trim())}”`;
  if (fromLine === undefined) return path;
  return toLine === undefined || toLine === fromLine ? `${path}:${fromLine}` : `${path}:${fromLine}–${toLine}`;
}

const shortened = (text: string): string => (text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS - 1)}…` : text);
