import { useState } from 'react';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import { foldText } from './fold-text.ts';
import { OddWarning } from './odd-warning.tsx';

interface CommandBodyProps {
  readonly command: string;
  readonly note?: string | undefined;
}

/** The command exactly as it would run. Of a long one the beginning and the end are shown: what is folded lies between. */
export function CommandBody({ command, note }: CommandBodyProps) {
  const [isWhole, setWhole] = useState(false);
  const folded = isWhole ? undefined : foldText(command);
  return (
    <>
      {note !== undefined && (
        <p className="request-note">
          <VisibleText text={note} />
        </p>
      )}
      <OddWarning text={command} />
      <pre className="command" dir="ltr">
        <code>
          <VisibleText text={folded?.head ?? command} />
        </code>
        {folded !== undefined && (
          <>
            <button type="button" className="fold-between" onClick={() => setWhole(true)}>
              {folded.words}
            </button>
            <code>
              <VisibleText text={folded.tail} />
            </code>
          </>
        )}
      </pre>
    </>
  );
}
