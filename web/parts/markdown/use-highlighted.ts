import { useEffect, useState } from 'react';
import { loadWithRetry } from '../../base/browser/lazily.ts';
import type { CodeToken } from './highlight.ts';

/** Longer code stays plain: highlighting it would block the page. */
const MAX_CHARS = 30_000;

/** The highlighted lines once the highlighter has loaded; undefined until then and for unknown languages. */
export function useHighlighted(code: string, language: string): readonly (readonly CodeToken[])[] | undefined {
  const [tokens, setTokens] = useState<readonly (readonly CodeToken[])[]>();
  useEffect(() => {
    let isCurrent = true;
    setTokens(undefined);
    if (language === '' || code.length > MAX_CHARS) return;
    // If the highlighter can't be loaded, for example after an update of the server, the code stays plain.
    loadWithRetry(() => import('./highlight.ts'))
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
