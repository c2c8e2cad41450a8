import { memo } from 'react';
import { isDeep } from '../../../../../src/domain/long-content.ts';
import type { RawLine } from '../../../../../src/protocol/api/raw.ts';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { numberText, sizeText } from '../../../../base/words/words.ts';
import { CopyButton } from '../../../../parts/common/copy-button.tsx';

/** Of a line that is not opened, more than fits on any screen. */
const HEAD_CHARS = 400;

interface RawLineViewProps {
  readonly line: RawLine;
  readonly isOpen: boolean;
  readonly onToggle: (place: number) => void;
}

/** One line: its head, or all that is here of it, set out so that it can be read. */
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
            {line.cut && `, of which the first ${sizeText(line.text.length)} are shown`}
            {line.open && ', not ended yet'}
            <CopyButton text={line.text} />
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>
            <VisibleText text={setOut(line.text)} />
          </pre>
        </div>
      )}
    </>
  );
});

/** JSON with a line for every value, unless it nests so deep that the indents alone would fill megabytes. */
export function setOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? text : JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}
