import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { numberText } from '../../../../base/words/words.ts';
import type { CodeToken } from '../../../../parts/markdown/highlight.ts';
import { useHighlighted } from '../../../../parts/markdown/use-highlighted.ts';

const LINE_PX = 20;
/** A longer line is a file without lines: nobody reads it here. */
const LINE_CHARS = 2000;

/** A text with its line numbers: only what is near the eye is drawn. */
export function TextView({ text, path }: { readonly text: string; readonly path: string }) {
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
  const tokens = useHighlighted(text, languageOf(path));
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => LINE_PX, overscan: 30 });
  const widest = useMemo(() => lines.reduce((most, line) => Math.max(most, line.length), 0), [lines]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} className="text-view code-block" tabIndex={0} aria-label={`Text of ${path}`}>
      <pre className="text-sheet" style={{ height: virtualizer.getTotalSize(), minWidth: `${Math.min(widest, LINE_CHARS) + 10}ch` }}>
        {virtualizer.getVirtualItems().map((place) => (
          <div key={place.key} className="text-line" style={{ transform: `translateY(${place.start}px)` }}>
            <span className="line-number">{place.index + 1}</span>
            <code>
              <LineText line={lines[place.index] ?? ''} tokens={tokens?.[place.index]} />
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
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of one line never move
    <span key={at} style={token.color === undefined ? undefined : { color: token.color }}>
      <VisibleText text={token.content} />
    </span>
  ));
}

/** By what stands behind the last dot. */
const languageOf = (path: string): string => /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
