import { type ComponentType, memo, startTransition, useEffect, useState } from 'react';
import { insist } from '../../base/browser/lazily.ts';
import type { MarkdownProps } from './drawn-markdown.tsx';

type Drawn = ComponentType<MarkdownProps>;

/** Half of the page's script is the grammar of Markdown: it comes by itself, and until it is there the words are shown as they are. */
let coming: Promise<Drawn> | undefined;
let drawn: Drawn | undefined;

async function fetchDrawn(): Promise<Drawn> {
  drawn = (await insist(() => import('./drawn-markdown.tsx'))).default;
  return drawn;
}

export const Markdown = memo(function Markdown({ text, isWriting = false }: MarkdownProps) {
  const [Grammar, setGrammar] = useState(() => drawn);
  useEffect(() => {
    if (Grammar !== undefined) return;
    coming ??= fetchDrawn();
    // Words that nobody can draw stay as they are.
    coming.then(
      (come) => startTransition(() => setGrammar(() => come)),
      () => (coming = undefined),
    );
  }, [Grammar]);
  return Grammar === undefined ? <div className="markdown undrawn">{text}</div> : <Grammar text={text} isWriting={isWriting} />;
});
