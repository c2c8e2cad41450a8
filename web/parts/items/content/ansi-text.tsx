import { memo } from 'react';
import type { AnsiLine } from './ansi.ts';

/** At most this many colored pieces; beyond that plain text, so that extreme output can't slow the page down. */
const MAX_PIECES = 1000;

/** Lines of output, colored as a terminal would. */
export const AnsiText = memo(function AnsiText({ lines }: { readonly lines: readonly AnsiLine[] }) {
  let left = MAX_PIECES;
  return lines.flatMap((line, at) => {
    const end = at === lines.length - 1 ? '' : '\n';
    const pieces = line.map(({ text, look }, index) => {
      if (look === '' || left <= 0) return text;
      left -= 1;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one output never move
        <span key={`${at}:${index}`} className={look}>
          {text}
        </span>
      );
    });
    return [...pieces, end];
  });
});
