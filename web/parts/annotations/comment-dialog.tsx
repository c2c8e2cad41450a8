import { type KeyboardEvent, useState } from 'react';
import * as z from 'zod/mini';
import { KIND_TITLES } from '../../../src/domain/annotation/words.ts';
import { AnnotationKind } from '../../../src/protocol/annotation.ts';
import { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import { VisibleText } from '../../base/ui/visible-text.tsx';
import { createAnnotationApi } from '../../client/http/annotation-api.ts';
import { newId } from '../../client/new-id.ts';
import { useFormDraft } from '../common/use-form-draft.ts';
import type { CommentPlace } from './comment-context.ts';
import { KINDS } from './kinds.ts';
import { WhoWrote } from './who-wrote.tsx';
import './annotations.css';

interface CommentDialogProps {
  readonly sessionId: string;
  readonly place: CommentPlace;
  readonly onClose: () => void;
}

/** `id` changes with what is typed: saving the same comment again, after an answer that never came, makes no second one. */
const Typed = z.object({ kind: AnnotationKind, text: z.string(), suggestion: z.string(), id: z.optional(z.string()) });
type Typed = z.infer<typeof Typed>;
const NOTHING: Typed = { kind: 'action', text: '', suggestion: '' };

/** Writes one comment. It is saved as a draft; the review sends all drafts together. */
export default function CommentDialog({ sessionId, place, onClose }: CommentDialogProps) {
  const [typed, setTyped] = useFormDraft(`comment:${JSON.stringify(place.target)}`, Typed, NOTHING);
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part, id: newId() });
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      await createAnnotationApi(document.baseURI).make(commentOf(sessionId, place, typed));
      setTyped(NOTHING);
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  };
  const canSave = typed.text.trim() !== '' && !isSaving;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSave) void save();
  };
  return (
    <Dialog title={`Comment on ${place.title}`} onClose={onClose}>
      <form className="comment-form" action={() => void save()} onKeyDown={onKey}>
        {place.quote !== undefined && place.quote !== '' && (
          <pre className="comment-quote">
            <VisibleText text={place.quote} />
          </pre>
        )}
        {place.target.type === 'code' && place.target.side !== 'old' && place.quote !== undefined && (
          <WhoWrote sessionId={sessionId} path={place.target.file} line={place.target.lineStart} text={place.quote.split('\n')[0] ?? ''} />
        )}
        <fieldset className="comment-kinds">
          <legend className="sr-only">Kind of comment</legend>
          {KINDS.map((kind) => (
            <label key={kind} className="comment-kind">
              <input type="radio" name="kind" checked={typed.kind === kind} onChange={() => change({ kind })} />
              <span>{KIND_TITLES[kind]}</span>
            </label>
          ))}
        </fieldset>
        <textarea
          data-first
          aria-label="Comment"
          placeholder="What should the agent do or answer?"
          rows={4}
          maxLength={LIMITS.commentChars}
          value={typed.text}
          onChange={(event) => change({ text: event.target.value })}
        />
        {place.target.type === 'code' && typed.kind === 'action' && (
          <textarea
            className="mono"
            aria-label="Suggested code (optional)"
            placeholder="Suggested code (optional)"
            rows={2}
            maxLength={LIMITS.commentChars}
            value={typed.suggestion}
            onChange={(event) => change({ suggestion: event.target.value })}
          />
        )}
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <span className="quiet">Saved as a draft until you send the review.</span>
          <button type="submit" className="button primary" disabled={!canSave}>
            Add comment
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const commentOf = (sessionId: string, { target, quote, seq }: CommentPlace, { kind, text, suggestion, id }: Typed) => ({
  sessionId: SessionId.parse(sessionId),
  target,
  kind,
  text: text.trim(),
  ...(suggestion.trim() !== '' && kind === 'action' && target.type === 'code' && { suggestion }),
  ...(quote !== undefined && target.type === 'code' && { quote }),
  ...(seq !== undefined && { seq }),
  ...(id !== undefined && { commandId: CommandId.parse(id) }),
});
