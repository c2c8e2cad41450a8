import type { ItemMarks } from '../../../../src/domain/transcript/item.ts';
import { momentText } from '../../../base/text/format.ts';

interface NoteLineProps {
  readonly marks: ItemMarks;
  /** Makes the note a comment; unset where there is none. */
  readonly onComment: (() => Promise<void>) | undefined;
  readonly onRemove: () => void;
}

/** The tags under an item, and the note from before there were comments. */
export function NoteLine({ marks: { note, noted, tags = [] }, onComment, onRemove }: NoteLineProps) {
  if (note === undefined && tags.length === 0) return null;
  return (
    <div className="item-note">
      {note !== undefined && <p className="item-note-text">{note}</p>}
      <p className="item-note-facts">
        {tags.length > 0 && <span>{tags.map((tag) => `#${tag}`).join(' ')}</span>}
        {noted !== undefined && (
          <span>
            {noted.actor?.name} <time dateTime={noted.at}>{momentText(noted.at)}</time>
          </span>
        )}
        {onComment !== undefined && (
          <>
            <button type="button" className="text-button" onClick={() => void onComment()}>
              Turn into a comment
            </button>
            <button type="button" className="text-button" onClick={onRemove}>
              Remove note
            </button>
          </>
        )}
      </p>
    </div>
  );
}
