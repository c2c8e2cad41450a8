import * as z from 'zod/mini';
import { useShallow } from 'zustand/react/shallow';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { ReviewLink } from '../annotations/review-link.tsx';
import { useCapabilities } from '../common/use-capabilities.ts';
import { useFormDraft } from '../common/use-form-draft.ts';
import { AttachButtons } from './attachments/attach-buttons.tsx';
import { AttachFileForm } from './attachments/attach-file-form.tsx';
import { Attached } from './attachments/attached.tsx';
import { usePictureInput } from './attachments/use-picture-input.ts';
import { ComposerField } from './field/composer-field.tsx';
import { Queue } from './queue/queue.tsx';
import { sendState } from './queue/send-state.ts';
import { SendButtons } from './send-buttons.tsx';
import { Suggestions } from './suggestions.tsx';

const FileReference = z.optional(z.string());

/** Where you write. It says what sending will do, and keeps the draft and its attachments. */
export function Composer({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const [reference, setReference] = useFormDraft(`point:${sessionId}`, FileReference, undefined);
  const isAttachingFile = reference !== undefined;
  const pictureInput = usePictureInput(sessionId);
  // A picture pasted before the agent's capabilities are known is not lost.
  const images = useCapabilities(sessionId)?.images;
  const takesPictures = images !== false;
  const refusal = useApp((state) => state.refusals.get(sessionId));
  const isEmpty = useApp((state) => (state.drafts.get(sessionId) ?? '').trim() === '');
  const sending = useApp(useShallow((state) => sendState(state, sessionId)));
  const hasAttached = useApp((state) => (state.attached.get(sessionId)?.pictures.length ?? 0) + (state.attached.get(sessionId)?.context.length ?? 0) > 0);
  const send = (mode: 'queue' | 'steer') => {
    if (!isEmpty) void cockpit.sendDraft(sessionId, mode);
  };
  return (
    <div className="composer-place">
      <Queue sessionId={sessionId} />
      <Suggestions sessionId={sessionId} />
      {refusal !== undefined && (
        <p className="form-problem" role="alert">
          Not accepted: {refusal} Your message is back below.
        </p>
      )}
      {pictureInput.problems.map((problem) => (
        <p key={problem} className="form-problem" role="alert">
          {problem}
        </p>
      ))}
      <form
        className={pictureInput.isOver ? 'composer over' : 'composer'}
        action={() => send('queue')}
        onPaste={takesPictures ? pictureInput.onPaste : undefined}
        onDragOver={takesPictures ? pictureInput.onDragOver : undefined}
        onDragLeave={pictureInput.onDragLeave}
        onDrop={takesPictures ? pictureInput.onDrop : undefined}
      >
        <Attached sessionId={sessionId} />
        <ComposerField sessionId={sessionId} onSend={() => send('queue')} onSteer={() => send(sending.canSteer ? 'steer' : 'queue')} />
        {isAttachingFile && (
          <AttachFileForm
            typed={reference}
            onType={setReference}
            onAttachFile={(item) => cockpit.attach(sessionId, (now) => ({ ...now, context: [...now.context, item] }))}
            onClose={() => setReference(undefined)}
          />
        )}
        <div className="composer-foot">
          <AttachButtons
            {...(images === true ? { onPictures: (files) => void pictureInput.take(files) } : {})}
            isAttachingFile={isAttachingFile}
            onAttachFile={() => setReference(isAttachingFile ? undefined : '')}
          />
          <ReviewLink sessionId={sessionId} />
          <SendButtons sending={sending} isEmpty={isEmpty} hasAttached={hasAttached} onSteer={() => send('steer')} />
        </div>
      </form>
    </div>
  );
}
