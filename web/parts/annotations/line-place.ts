import type { CommentPlace } from './comment-context.ts';

/** Where a comment on one line of a file belongs. */
export const linePlace = (file: string, line: number, quote: string, side?: 'old' | 'new'): CommentPlace => ({
  target: { type: 'code', file, lineStart: line, ...(side !== undefined && { side }) },
  quote,
  title: `${file}:${line}`,
});
