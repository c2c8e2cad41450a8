import { type ComponentType, memo, startTransition, useEffect, useState } from 'react';
import { loadWithRetry } from '../../base/browser/lazily.ts';
import type { MarkdownProps } from './formatted-markdown.tsx';

type Formatted = ComponentType<MarkdownProps>;

/** The Markdown parser is half of the page's script, so it loads separately; until then the text is shown unformatted. */
let loading: Promise<Formatted> | undefined;
let loaded: Formatted | undefined;

async function loadFormatted(): Promise<Formatted> {
  loaded = (await loadWithRetry(() => import('./formatted-markdown.tsx'))).default;
  return loaded;
}

export const Markdown = memo(function Markdown({ text, isWriting = false }: MarkdownProps) {
  const [Formatter, setFormatter] = useState(() => loaded);
  useEffect(() => {
    if (Formatter !== undefined) return;
    loading ??= loadFormatted();
    // If the parser can't be loaded, the text stays plain.
    loading.then(
      (component) => startTransition(() => setFormatter(() => component)),
      () => (loading = undefined),
    );
  }, [Formatter]);
  return Formatter === undefined ? <div className="markdown undrawn">{text}</div> : <Formatter text={text} isWriting={isWriting} />;
});
