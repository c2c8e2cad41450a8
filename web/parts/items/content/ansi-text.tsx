import { memo } from 'react';
import type { AnsiLine } from './ansi.ts';

/** So many pieces of other colours are drawn; beyond them the words alone, so that a wild output cannot weigh the page down. */
const MOST_PIECES = 1000;

/** Lines of an output as a terminal would colour them. */
export const AnsiText = memo(function AnsiText({ lines }: { readonly lines: readonly AnsiLine[] }) {
  let left = MOST_PIECES;
  return lines.flatMap((line, at) => {
    const end = at === lines.length - 1 ? '' : '\n';
    const pieces = line.map(({ text, look }, place) => {
      if (look === '' || left <= 0) return text;
      left -= 1;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one output never move
        <span key={`${at}:${place}`} className={look}>
          {text}
        </span>
      );
    });
    return [...pieces, end];
  });
});
