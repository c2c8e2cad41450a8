import { useEffect, useState } from 'react';
import { insist } from '../../base/browser/lazily.ts';
import type { CodeToken } from './highlight.ts';

/** Longer code stays plain: colouring it would hold up the page. */
const LONGEST = 30_000;

/** The code's tokens once the highlighter has loaded; until then, and for unknown languages, nothing. */
export function useHighlighted(code: string, language: string): readonly (readonly CodeToken[])[] | undefined {
  const [tokens, setTokens] = useState<readonly (readonly CodeToken[])[]>();
  useEffect(() => {
    let isCurrent = true;
    setTokens(undefined);
    if (language === '' || code.length > LONGEST) return;
    // Code that cannot be coloured, since the server is another one by now, is read as it is.
    insist(() => import('./highlight.ts'))
      .then(({ highlight }) => highlight(code, language))
      .then(
        (lines) => isCurrent && setTokens(lines),
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [code, language]);
  return tokens;
}
