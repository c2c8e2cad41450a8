import { useState } from 'react';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import { foldText } from './fold-text.ts';
import { HiddenCharacterWarning } from './hidden-character-warning.tsx';

interface CommandBodyProps {
  readonly command: string;
  readonly note?: string | undefined;
}

/** The command exactly as it would run. A long one shows its start and end, with the middle folded. */
export function CommandBody({ command, note }: CommandBodyProps) {
  const [showsAll, setShowsAll] = useState(false);
  const folded = showsAll ? undefined : foldText(command);
  return (
    <>
      {note !== undefined && (
        <p className="request-note">
          <VisibleText text={note} />
        </p>
      )}
      <HiddenCharacterWarning text={command} />
      <pre className="command" dir="ltr">
        <code>
          <VisibleText text={folded?.head ?? command} />
        </code>
        {folded !== undefined && (
          <>
            <button type="button" className="fold-between" onClick={() => setShowsAll(true)}>
              {folded.label}
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
