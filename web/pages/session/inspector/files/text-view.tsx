import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { numberText } from '../../../../base/text/format.ts';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { useComment, useCommentSource } from '../../../../parts/annotations/comment-context.ts';
import { moveInGutter } from '../../../../parts/annotations/gutter-keys.ts';
import { LineNumber } from '../../../../parts/annotations/line-number.tsx';
import { linePlace, rowsIn } from '../../../../parts/annotations/line-place.ts';
import type { CodeToken } from '../../../../parts/markdown/highlight.ts';
import { useHighlighted } from '../../../../parts/markdown/use-highlighted.ts';

const LINE_PX = 20;
/** Longer lines are cut: such files are not made for reading. */
const LINE_CHARS = 2000;

/** Text with line numbers, virtualized. */
export function TextView({ text, path }: { readonly text: string; readonly path: string }) {
  const comment = useComment();
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
  const tokens = useHighlighted(text, languageOf(path));
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => LINE_PX, overscan: 30 });
  const widest = useMemo(() => lines.reduce((max, line) => Math.max(max, line.length), 0), [lines]);
  const placeAt = (from: number, to: number) => linePlace(path, [from + 1, to + 1], lines.slice(from, to + 1).join('\n'));
  useCommentSource(scroller, (selection) => {
    const rows = rowsIn(selection);
    return rows && placeAt(...rows);
  });
  return (
    <section
      ref={scroller}
      className="text-view code-block"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={`Text of ${path}. Enter: choose a line to comment on`}
      onKeyDown={moveInGutter}
    >
      <pre className="text-sheet" style={{ height: virtualizer.getTotalSize(), minWidth: `${Math.min(widest, LINE_CHARS) + 10}ch` }}>
        {virtualizer.getVirtualItems().map((item) => (
          <div key={item.key} className="text-line" data-index={item.index} style={{ transform: `translateY(${item.start}px)` }}>
            <LineNumber number={item.index + 1} onComment={comment && (() => comment(placeAt(item.index, item.index)))} />
            <code>
              <LineText line={lines[item.index] ?? ''} tokens={tokens?.[item.index]} />
            </code>
          </div>
        ))}
      </pre>
    </section>
  );
}

function LineText({ line, tokens }: { readonly line: string; readonly tokens: readonly CodeToken[] | undefined }) {
  if (line.length > LINE_CHARS) {
    return (
      <>
        <VisibleText text={line.slice(0, LINE_CHARS)} />
        <span className="quiet"> … {numberText(line.length - LINE_CHARS)} more characters</span>
      </>
    );
  }
  if (tokens === undefined) return <VisibleText text={line} />;
  return tokens.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a line never change their order
    <span key={at} style={token.color === undefined ? undefined : { color: token.color }}>
      <VisibleText text={token.content} />
    </span>
  ));
}

/** By file extension. */
const languageOf = (path: string): string => /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
