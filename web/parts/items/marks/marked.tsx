import { Star } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import * as z from 'zod/mini';
import { marksAfter } from '../../../../src/domain/transcript/fold-item-marked.ts';
import type { Item } from '../../../../src/domain/transcript/item.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { marksOutsideWindow } from '../../../store/sessions/marks-outside-window.ts';
import { useFormDraft } from '../../common/use-form-draft.ts';
import { MarkingContext } from './marking-context.ts';
import { NoteEditor } from './note-editor.tsx';
import { NoteLine } from './note-line.tsx';
import { TagsEditor } from './tags-editor.tsx';
import { useNear } from './use-near.ts';
import { useNote } from './use-note.ts';

const Typed = z.optional(z.string());

interface MarkedProps {
  readonly sessionId: string;
  readonly item: Item;
  readonly children: ReactNode;
}

/** People can mark messages; any other item that has a mark shows it. The kind decides, so that nothing is rebuilt when a message is complete. */
export const isMarkable = (item: Item): boolean => isMessage(item) || item.marks !== undefined;

/** An item with its star and note, and the controls to change them. */
export function Marked({ sessionId, item, children }: MarkedProps) {
  const cockpit = useCockpit();
  const container = useRef<HTMLDivElement>(null);
  const [isNear, listeners] = useNear(container);
  const later = useApp((state) => marksOutsideWindow(state.open.get(sessionId), item.key));
  const marks = later === undefined ? item.marks : later.reduce(marksAfter, item.marks ?? {});
  const { star: isStarred = false, note = '' } = marks ?? {};
  const { typed, isJustOpened, type, write, save, close } = useNote(sessionId, item, note, container);
  const [tagging, setTagging] = useFormDraft(`tags:${sessionId}:${item.key}`, Typed, undefined);
  const tag = () => setTagging((marks?.tags ?? []).join(', '));
  const saveTags = async (tags: readonly string[]) => {
    if (await cockpit.mark(sessionId, item.seq, { tags: [...tags] })) setTagging(undefined);
  };
  const toggleStar = () => void cockpit.mark(sessionId, item.seq, { star: !isStarred });
  return (
    <div ref={container} {...listeners}>
      {isStarred && <Star className="row-star" size={11} fill="currentColor" role="img" aria-label="Starred" />}
      <MarkingContext value={isMessage(item) ? { isNear, isStarred, toggleStar, write, tag } : undefined}>{children}</MarkingContext>
      {typed === undefined && marks !== undefined && <NoteLine marks={marks} onChange={write} />}
      {tagging !== undefined && <TagsEditor text={tagging} onType={setTagging} onSave={(tags) => void saveTags(tags)} onCancel={() => setTagging(undefined)} />}
      {typed !== undefined && <NoteEditor text={typed} isJustOpened={isJustOpened} onType={type} onSave={(text) => void save(text)} onCancel={close} />}
    </div>
  );
}

const isMessage = ({ kind }: Item): boolean => kind === 'user' || kind === 'text';
