import { memo, useRef } from 'react';
import { type Cut, cutFurther } from './blocks.ts';
import { MarkdownBlock } from './markdown-block.tsx';

export interface MarkdownProps {
  readonly text: string;
  /** Still being written: unclosed syntax is shown as if it were closed. */
  readonly isWriting?: boolean;
}

export default memo(function FormattedMarkdown({ text, isWriting = false }: MarkdownProps) {
  const cut = useRef<Cut>(undefined);
  if (cut.current?.text !== text) cut.current = cutFurther(cut.current, text);
  const { blocks } = cut.current;
  return (
    <div className="markdown">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
        <MarkdownBlock key={at} text={block} isWriting={isWriting && at === blocks.length - 1} />
      ))}
    </div>
  );
});
