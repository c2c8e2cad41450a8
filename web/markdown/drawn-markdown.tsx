import { memo, useMemo } from 'react';
import remend from 'remend';
import { blocksOf } from './blocks.ts';
import { MarkdownBlock } from './markdown-block.tsx';

export interface MarkdownProps {
  readonly text: string;
  /** Still being written: half-open syntax is closed for the eye. */
  readonly isWriting?: boolean;
}

export default memo(function DrawnMarkdown({ text, isWriting = false }: MarkdownProps) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className="markdown">
      {blocks.map((block, at) => {
        const isLast = isWriting && at === blocks.length - 1;
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
        return <MarkdownBlock key={at} text={isLast ? remend(block) : block} isWriting={isLast} />;
      })}
    </div>
  );
});
