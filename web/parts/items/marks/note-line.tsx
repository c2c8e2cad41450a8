import type { ItemMarks } from '../../../../src/domain/transcript/item.ts';
import { momentText } from '../../../base/text/format.ts';

interface NoteLineProps {
  readonly marks: ItemMarks;
  readonly onChange: () => void;
}

/** The note and tags under an item. */
export function NoteLine({ marks: { note, noted, tags = [] }, onChange }: NoteLineProps) {
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
        {note !== undefined && (
          <button type="button" className="text-button" onClick={onChange}>
            Edit note
          </button>
        )}
      </p>
    </div>
  );
}
