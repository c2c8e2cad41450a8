import { useState } from 'react';
import * as z from 'zod/mini';
import { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import { createAnnotationApi } from '../../client/http/annotation-api.ts';
import { newId } from '../../client/new-id.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useFormDraft } from '../common/use-form-draft.ts';
import { Markdown } from '../markdown/markdown.tsx';
import '../annotations/annotations.css';

const Typed = z.object({ question: z.string(), answer: z.optional(z.string()) });
const NOTHING: z.infer<typeof Typed> = { question: '' };

/** Asks the agent something beside its work. The answer is only here, until somebody keeps it. */
export default function SideQuestionDialog({ sessionId, onClose }: { readonly sessionId: string; readonly onClose: () => void }) {
  const cockpit = useCockpit();
  const [{ question, answer }, setTyped] = useFormDraft(`side-question:${sessionId}`, Typed, NOTHING);
  const [problem, setProblem] = useState('');
  const [isAsking, setAsking] = useState(false);
  const last = useApp(
    (state) => state.open.get(sessionId)?.transcript.events.findLast(({ type }) => type === 'assistant.text' || type === 'user.message')?.seq,
  );
  const api = createAnnotationApi(document.baseURI);
  const ask = async () => {
    setAsking(true);
    setProblem('');
    try {
      setTyped({ question, answer: await api.askBeside(sessionId, question.trim()) });
    } catch (error) {
      setProblem(messageOf(error));
    }
    setAsking(false);
  };
  const done = () => {
    setTyped(NOTHING);
    onClose();
  };
  const keep = async () => {
    try {
      const target = { type: 'conversation' as const, sessionId: SessionId.parse(sessionId) };
      const text = `${question.trim()}\n\n${answer ?? ''}`;
      await api.make({
        sessionId: target.sessionId,
        target,
        kind: 'note',
        text,
        commandId: CommandId.parse(newId()),
        ...(last !== undefined && { seq: last }),
      });
      cockpit.showNotice('info', 'Kept as a note in Review.');
      done();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title="Side question" onClose={onClose}>
      <form className="comment-form" action={() => void ask()}>
        <p className="quiet">The agent answers in a copy of this conversation, without tools. Its work goes on, and the copy is deleted.</p>
        <textarea
          data-first
          aria-label="Question"
          placeholder="What do you want to know?"
          rows={3}
          value={question}
          disabled={isAsking}
          onChange={(event) => setTyped({ question: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || question.trim() === '' || isAsking) return;
            event.preventDefault();
            void ask();
          }}
        />
        <div role="status">{isAsking && <p className="quiet">Asking…</p>}</div>
        {answer !== undefined && (
          <section aria-label="Answer" className="side-answer">
            <Markdown text={answer} />
          </section>
        )}
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          {answer !== undefined && (
            <>
              <button type="button" className="button" onClick={() => void keep()}>
                Keep as a note
              </button>
              <button type="button" className="button plain" onClick={done}>
                Discard
              </button>
            </>
          )}
          <button type="submit" className="button primary" disabled={question.trim() === '' || isAsking}>
            {answer === undefined ? 'Ask' : 'Ask again'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
