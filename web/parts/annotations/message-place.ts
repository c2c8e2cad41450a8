import type { SessionId } from '../../../src/protocol/ids.ts';
import type { CommentPlace } from './comment-context.ts';

/** Where a comment on a message belongs: on the selected words, if they occur once in its text, else on all of it. */
export function messagePlace(sessionId: string, seq: number, text: string, selected = getSelection()?.toString() ?? ''): CommentPlace {
  const target = { type: 'conversation' as const, sessionId: sessionId as SessionId };
  const words = selected.trim();
  const at = words === '' ? -1 : text.indexOf(words);
  const isOnce = at >= 0 && text.indexOf(words, at + 1) < 0;
  if (!isOnce) return { target, seq, title: 'this message' };
  return { target: { ...target, offsetStart: at, offsetEnd: at + words.length }, seq, quote: words, title: 'the selected words' };
}
