import { Star } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import * as z from 'zod/mini';
import { marksAfter } from '../../../../src/domain/transcript/fold-item-marked.ts';
import type { Item } from '../../../../src/domain/transcript/item.ts';
import { CommandId, SessionId } from '../../../../src/protocol/ids.ts';
import { messageOf } from '../../../base/text/message-of.ts';
import { createAnnotationApi } from '../../../client/http/annotation-api.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { marksOutsideWindow } from '../../../store/sessions/marks-outside-window.ts';
import { useFormDraft } from '../../common/use-form-draft.ts';
import { MarkingContext } from './marking-context.ts';
import { NoteLine } from './note-line.tsx';
import { TagsEditor } from './tags-editor.tsx';
import { useNear } from './use-near.ts';

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
  const { star: isStarred = false, note } = marks ?? {};
  const [tagging, setTagging] = useFormDraft(`tags:${sessionId}:${item.key}`, Typed, undefined);
  const tag = () => setTagging((marks?.tags ?? []).join(', '));
  const saveTags = async (tags: readonly string[]) => {
    if (await cockpit.mark(sessionId, item.seq, { tags: [...tags] })) setTagging(undefined);
  };
  const toggleStar = () => void cockpit.mark(sessionId, item.seq, { star: !isStarred });
  const removeNote = () => cockpit.mark(sessionId, item.seq, { note: null });
  const toComment = async () => {
    if (note === undefined) return;
    try {
      const target = { type: 'conversation' as const, sessionId: SessionId.parse(sessionId) };
      // The same note makes one comment, however often this is tried.
      const commandId = CommandId.parse(`note:${sessionId}:${item.seq}`);
      const seq = item.kind === 'user' ? item.saidSeq : item.seq;
      await createAnnotationApi(document.baseURI).make({ sessionId: target.sessionId, target, seq, kind: 'note', text: note, commandId });
      await removeNote();
    } catch (error) {
      cockpit.showNotice('error', messageOf(error));
    }
  };
  return (
    <div ref={container} {...listeners}>
      {isStarred && <Star className="row-star" size={11} fill="currentColor" role="img" aria-label="Starred" />}
      <MarkingContext value={isMessage(item) ? { isNear, isStarred, toggleStar, tag } : undefined}>{children}</MarkingContext>
      {marks !== undefined && <NoteLine marks={marks} onComment={note === undefined ? undefined : toComment} onRemove={() => void removeNote()} />}
      {tagging !== undefined && <TagsEditor text={tagging} onType={setTagging} onSave={(tags) => void saveTags(tags)} onCancel={() => setTagging(undefined)} />}
    </div>
  );
}

const isMessage = ({ kind }: Item): boolean => kind === 'user' || kind === 'text';
