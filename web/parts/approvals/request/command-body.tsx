import { countText } from '../../../base/text/format.ts';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import { HiddenCharacterWarning } from './hidden-character-warning.tsx';

interface CommandBodyProps {
  readonly command: string;
  readonly note?: string | undefined;
}

/** A command with more lines than this scrolls in its own box, and says how long it is. */
const LINES = 40;
const CHARS = 4000;

/** The command exactly as it would run, all of it, then what the agent says about it. */
export function CommandBody({ command, note }: CommandBodyProps) {
  const lines = command.split('\n').length;
  const isLong = lines > LINES || command.length > CHARS;
  return (
    <>
      <HiddenCharacterWarning text={command} />
      <pre className={isLong ? 'command long' : 'command'} dir="ltr" tabIndex={isLong ? 0 : undefined}>
        <code>
          <VisibleText text={command} />
        </code>
      </pre>
      {isLong && (
        <p className="request-note">{`${lines > LINES ? countText(lines, 'line') : countText(command.length, 'character')}: scroll to the end before you allow it.`}</p>
      )}
      {note !== undefined && (
        <p className="request-note">
          <VisibleText text={note} />
        </p>
      )}
    </>
  );
}
