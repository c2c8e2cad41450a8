import { memo } from 'react';
import { isDeep } from '../../../../../src/domain/long-content.ts';
import type { RawLine } from '../../../../../src/protocol/api/raw.ts';
import { numberText, sizeText } from '../../../../base/text/format.ts';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { CopyButton } from '../../../../parts/common/copy-button.tsx';

/** A closed line shows this much: more than fits on any screen. */
const HEAD_CHARS = 400;

interface RawLineViewProps {
  readonly line: RawLine;
  readonly isOpen: boolean;
  readonly onToggle: (place: number) => void;
}

/** One line: its start, or all of it, pretty-printed. */
export const RawLineView = memo(function RawLineView({ line, isOpen, onToggle }: RawLineViewProps) {
  return (
    <>
      <button type="button" className="raw-line" aria-expanded={isOpen} onClick={() => onToggle(line.place)}>
        <span className="raw-place-number">{numberText(line.place)}</span>
        <code>
          <VisibleText text={line.text.slice(0, HEAD_CHARS)} />
        </code>
      </button>
      {isOpen && (
        <div className="raw-whole">
          <p className="quiet">
            {sizeText(line.bytes)}
            {line.cut && `, first ${sizeText(line.text.length)} shown`}
            {line.open && ', incomplete'}
            <CopyButton text={line.text} />
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>
            <VisibleText text={prettyPrinted(line.text)} />
          </pre>
        </div>
      )}
    </>
  );
});

/** Indented JSON, unless it nests so deep that the indents alone would fill megabytes. */
export function prettyPrinted(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? text : JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}
