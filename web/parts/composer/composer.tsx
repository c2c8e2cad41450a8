import * as z from 'zod/mini';
import { useShallow } from 'zustand/react/shallow';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useCapabilities } from '../common/use-capabilities.ts';
import { useKept } from '../common/use-kept.ts';
import { AttachButtons } from './attachments/attach-buttons.tsx';
import { Attached } from './attachments/attached.tsx';
import { PointForm } from './attachments/point-form.tsx';
import { useIntake } from './attachments/use-intake.ts';
import { ComposerField } from './field/composer-field.tsx';
import { Queue } from './queue/queue.tsx';
import { sendWords } from './queue/send-words.ts';
import { SendButtons } from './send-buttons.tsx';
import { Suggestions } from './suggestions.tsx';

const Place = z.optional(z.string());

/** The place to write. It says what sending will do, and keeps what is typed and what goes along with it. */
export function Composer({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const [place, setPlace] = useKept(`point:${sessionId}`, Place, undefined);
  const isPointing = place !== undefined;
  const intake = useIntake(sessionId);
  // What is pasted before the server has told what the agent can do is not lost.
  const images = useCapabilities(sessionId)?.images;
  const takesPictures = images !== false;
  const refusal = useApp((state) => state.refusals.get(sessionId));
  const isEmpty = useApp((state) => (state.drafts.get(sessionId) ?? '').trim() === '');
  const words = useApp(useShallow((state) => sendWords(state, sessionId)));
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
          Not accepted: {refusal} Your words are back below.
        </p>
      )}
      {intake.problems.map((problem) => (
        <p key={problem} className="form-problem" role="alert">
          {problem}
        </p>
      ))}
      <form
        className={intake.isOver ? 'composer over' : 'composer'}
        action={() => send('queue')}
        onPaste={takesPictures ? intake.onPaste : undefined}
        onDragOver={takesPictures ? intake.onDragOver : undefined}
        onDragLeave={intake.onDragLeave}
        onDrop={takesPictures ? intake.onDrop : undefined}
      >
        <Attached sessionId={sessionId} />
        <ComposerField sessionId={sessionId} onSend={() => send('queue')} onSteer={() => send(words.canSteer ? 'steer' : 'queue')} />
        {isPointing && (
          <PointForm
            typed={place}
            onType={setPlace}
            onPoint={(item) => cockpit.attach(sessionId, (now) => ({ ...now, context: [...now.context, item] }))}
            onClose={() => setPlace(undefined)}
          />
        )}
        <div className="composer-foot">
          <AttachButtons
            {...(images === true ? { onPictures: (files) => void intake.take(files) } : {})}
            isPointing={isPointing}
            onPoint={() => setPlace(isPointing ? undefined : '')}
          />
          <SendButtons words={words} isEmpty={isEmpty} hasAttached={hasAttached} onSteer={() => send('steer')} />
        </div>
      </form>
    </div>
  );
}
