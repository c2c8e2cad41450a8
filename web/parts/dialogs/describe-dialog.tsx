import * as z from 'zod/mini';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import { useCockpit } from '../../store/cockpit-context.ts';
import { tagsOf } from '../common/tags-of.ts';
import { useFormDraft } from '../common/use-form-draft.ts';
import { useTags } from './use-tags.ts';

interface DescribeDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

const Typed = z.object({ title: z.optional(z.string()), words: z.optional(z.string()), note: z.optional(z.string()) });
const NOTHING: z.infer<typeof Typed> = {};

/** A session's title, tags and note, together. */
export function DescribeDialog({ session, onClose }: DescribeDialogProps) {
  const cockpit = useCockpit();
  const known = useTags();
  const [typed, setTyped] = useFormDraft(`describe:${session.id}`, Typed, NOTHING);
  const { title = session.title, words = session.tags.join(', '), note = session.note ?? '' } = typed;
  const close = () => {
    setTyped(NOTHING);
    onClose();
  };
  const tags = tagsOf(words);
  const offered = known.filter(({ tag }) => !tags.includes(tag)).slice(0, 8);
  const save = async () => {
    const renamed = title.trim() === '' || title === session.title ? {} : { title: title.trim() };
    if (await cockpit.describe(session.id, { ...renamed, tags: [...tags], note: note.trim() === '' ? null : note })) close();
  };
  return (
    <Dialog title="Title, tags and note" onClose={close}>
      <form className="describe-form" action={() => void save()}>
        <label className="field">
          <span>Title</span>
          <input value={title} maxLength={LIMITS.titleChars} onChange={(event) => setTyped({ ...typed, title: event.target.value })} />
        </label>
        <label className="field">
          <span>Tags (comma-separated)</span>
          <input data-first value={words} onChange={(event) => setTyped({ ...typed, words: event.target.value })} />
        </label>
        {offered.length > 0 && (
          <p className="folder-chips">
            {offered.map(({ tag }) => (
              <button key={tag} type="button" className="chip" onClick={() => setTyped({ ...typed, words: [...tags, tag].join(', ') })}>
                {tag}
              </button>
            ))}
          </p>
        )}
        <label className="field">
          <span>Note</span>
          <textarea rows={4} value={note} onChange={(event) => setTyped({ ...typed, note: event.target.value })} />
        </label>
        <footer className="dialog-foot">
          <button type="submit" className="button primary">
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
