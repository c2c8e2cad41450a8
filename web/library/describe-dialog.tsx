import { useState } from 'react';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Session } from '../../src/protocol/session.ts';
import { useCockpit } from '../app/cockpit-context.ts';
import { Dialog } from '../ui/dialog.tsx';
import { tagsOf } from './tags-of.ts';
import { useTags } from './use-tags.ts';

interface DescribeDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

/** A session's title, tags and note, together. */
export function DescribeDialog({ session, onClose }: DescribeDialogProps) {
  const cockpit = useCockpit();
  const known = useTags();
  const [title, setTitle] = useState(session.title);
  const [words, setWords] = useState(session.tags.join(', '));
  const [note, setNote] = useState(session.note ?? '');
  const tags = tagsOf(words);
  const offered = known.filter(({ tag }) => !tags.includes(tag)).slice(0, 8);
  const keep = async () => {
    const renamed = title.trim() === '' || title === session.title ? {} : { title: title.trim() };
    if (await cockpit.describe(session.id, { ...renamed, tags: [...tags], note: note.trim() === '' ? null : note })) onClose();
  };
  return (
    <Dialog title="Title, tags and note" onClose={onClose}>
      <form className="describe-form" action={() => void keep()}>
        <label className="field">
          <span>Title</span>
          <input value={title} maxLength={LIMITS.titleChars} onChange={(event) => setTitle(event.target.value)} />
        </label>
        <label className="field">
          <span>Tags, with commas between them</span>
          <input data-first value={words} onChange={(event) => setWords(event.target.value)} />
        </label>
        {offered.length > 0 && (
          <p className="folder-chips">
            {offered.map(({ tag }) => (
              <button key={tag} type="button" className="chip" onClick={() => setWords([...tags, tag].join(', '))}>
                {tag}
              </button>
            ))}
          </p>
        )}
        <label className="field">
          <span>Note</span>
          <textarea rows={4} value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
        <footer className="dialog-foot">
          <button type="submit" className="button primary">
            Keep
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
