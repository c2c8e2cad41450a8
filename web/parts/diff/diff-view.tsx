import { useState } from 'react';
import { VisibleLine, VisibleText } from '../../base/ui/visible-text.tsx';
import type { DiffLine } from './patch.ts';

/** More lines than this are rendered only on request. */
const SHOWN = 400;
const SIGNS = { add: '+', del: '−', same: ' ', hunk: '', end: '' } as const;

interface DiffViewProps {
  readonly path?: string | undefined;
  readonly lines: readonly DiffLine[];
}

export function DiffView({ path, lines }: DiffViewProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? lines : lines.slice(0, SHOWN);
  return (
    <figure className="diff">
      {path !== undefined && (
        <figcaption>
          <VisibleLine text={path} />
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="diff-lines" tabIndex={0}>
        <code className="diff-sheet">
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one patch never move
            <span key={at} className={`diff-line diff-${line.kind}`}>
              <span className="diff-sign">{SIGNS[line.kind]}</span>
              <VisibleText text={line.text} />
            </span>
          ))}
        </code>
      </pre>
      {shown.length < lines.length && (
        <button type="button" className="text-button" onClick={() => setShowsAll(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </figure>
  );
}
