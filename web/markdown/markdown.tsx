import { memo, Suspense } from 'react';
import { lazily } from '../ui/lazily.ts';
import type { MarkdownProps } from './drawn-markdown.tsx';

/** Half of the page's script is the grammar of Markdown: it comes by itself, and until it is there the words are shown as they are. */
const DrawnMarkdown = lazily(() => import('./drawn-markdown.tsx'));

export const Markdown = memo(function Markdown({ text, isWriting = false }: MarkdownProps) {
  return (
    <Suspense fallback={<div className="markdown undrawn">{text}</div>}>
      <DrawnMarkdown text={text} isWriting={isWriting} />
    </Suspense>
  );
});
