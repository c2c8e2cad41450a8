import { findDrawn } from '../../../src/domain/annotation/find-drawn.ts';
import type { NewTarget } from '../../../src/protocol/api/annotations.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import type { CommentPlace } from './comment-context.ts';

/** The text that can be commented on as a whole or in part. */
export interface Commentable {
  readonly target: Extract<NewTarget, { type: 'conversation' | 'tool-call' }>;
  readonly seq?: number | undefined;
  readonly text: string;
  /** What it is, such as `this message`. */
  readonly title: string;
}

export const messageAt = (sessionId: string, seq: number, text: string): Commentable => ({
  target: { type: 'conversation', sessionId: sessionId as SessionId },
  seq,
  text,
  title: 'this message',
});

/** Where a comment on a text belongs: on the selected words, if it is certain where they are, else on all of it. */
export function textPlace({ target, seq, text, title }: Commentable, part: Element | null, selection: Range | undefined = selected(part)): CommentPlace {
  const range = part === null || selection === undefined ? undefined : findDrawn(text, drawnIn(part, selection));
  if (range === undefined) return { target, seq, title };
  const [offsetStart, offsetEnd] = range;
  return { target: { ...target, offsetStart, offsetEnd }, seq, quote: text.slice(offsetStart, offsetEnd), title: 'the selected words' };
}

function selected(part: Element | null): Range | undefined {
  const selection = getSelection();
  if (part === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  return part.contains(range.commonAncestorContainer) ? range : undefined;
}

function drawnIn(part: Element, selection: Range) {
  const [before, after] = [document.createRange(), document.createRange()];
  before.selectNodeContents(part);
  before.setEnd(selection.startContainer, selection.startOffset);
  after.selectNodeContents(part);
  after.setStart(selection.endContainer, selection.endOffset);
  return { before: before.toString(), text: selection.toString(), after: after.toString() };
}
