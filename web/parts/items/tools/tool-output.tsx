import { useMemo, useState } from 'react';
import type { EventOf } from '../../../../src/protocol/event.ts';
import { numberText } from '../../../base/text/format.ts';
import { CopyButton } from '../../common/copy-button.tsx';
import { FullTextLink } from '../../common/full-text-link.tsx';
import { ansiLines, lineText } from '../content/ansi.ts';
import { AnsiText } from '../content/ansi-text.tsx';
import { Pictures } from '../content/pictures.tsx';

/** The end of the output matters most; the rest is shown on demand. */
const SHOWN_LINES = 24;

/** What a running command printed so far. */
export function OutputSoFar({ text }: { readonly text: string }) {
  const lines = useMemo(() => ansiLines(text).slice(-SHOWN_LINES), [text]);
  return (
    <div className="tool-output">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <AnsiText lines={lines} />
      </pre>
    </div>
  );
}

export function ToolOutput({ completed }: { readonly completed: EventOf<'tool.completed'> }) {
  const [showsAll, setShowsAll] = useState(false);
  const lines = useMemo(() => ansiLines(completed.output), [completed.output]);
  const hidden = showsAll ? 0 : Math.max(0, lines.length - SHOWN_LINES);
  const shown = useMemo(() => lines.slice(hidden), [lines, hidden]);
  const pictures = <Pictures images={completed.images ?? []} label="Picture from the tool" />;
  if (completed.output === '' && completed.images !== undefined) return pictures;
  if (completed.output === '') return <p className="tool-empty">No output</p>;
  return (
    <div className="tool-output">
      <div className="output-head">
        {hidden > 0 && (
          <button type="button" className="text-button" onClick={() => setShowsAll(true)}>
            Show all {numberText(lines.length)} lines
          </button>
        )}
        <CopyButton text={lines.map(lineText).join('\n')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <AnsiText lines={shown} />
      </pre>
      {pictures}
      <FullTextLink blob={completed.blobs?.output} />
    </div>
  );
}
