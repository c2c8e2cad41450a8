import { useState } from 'react';
import { countText } from '../../../../base/text/format.ts';
import { CommentRow } from '../../../../parts/annotations/comment-row.tsx';
import { type Comment, groupsOf } from '../../../../parts/annotations/groups.ts';
import { SendReview } from '../../../../parts/annotations/send-review.tsx';
import { useComments } from '../../../../parts/annotations/use-comments.ts';
import { useApp, useCockpit } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import { JumpLink } from '../jump-link.tsx';
import '../../../../parts/annotations/annotations.css';

/** Comments of this session: drafts to send, and what the agent did about those that were sent. */
export default function ReviewPane() {
  const { sessionId } = useInspector();
  const { comments, problem, act } = useComments(sessionId);
  const cwd = useApp((state) => state.sessions.get(sessionId)?.cwd ?? '');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  if (comments === undefined) return <p className="side-words">{problem ?? 'Loading…'}</p>;
  if (comments.length === 0) return <Empty />;
  const groups = groupsOf(comments);
  // What an agent wrote is never selected for it, and a note may be for people only.
  const isChosen = ({ annotationId, by, kind }: Comment): boolean => left.has(annotationId) === (by?.kind === 'agent' || kind === 'note');
  const toggle = (id: string) => setLeft((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id])));
  const drafts = groups.drafts.filter(isChosen);
  return (
    <div className="review-pane">
      {problem !== undefined && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {groups.drafts.length > 0 && (
        <section aria-label="Drafts">
          <h3>Drafts</h3>
          {groups.drafts.map((one) => (
            <CommentRow
              key={one.annotationId}
              comment={one}
              cwd={cwd}
              act={act}
              link={jumpTo}
              isChosen={isChosen(one)}
              onChoose={() => toggle(one.annotationId)}
            />
          ))}
          <SendReview sessionId={sessionId} comments={drafts} act={act} label={`Send ${countText(drafts.length, 'comment')}`} />
        </section>
      )}
      {groups.skipped.length > 0 && (
        <section aria-label="Skipped">
          <h3>
            Skipped <span className="quiet">{groups.asked > 0 && `${groups.asked - groups.skipped.length} of ${groups.asked} answered`}</span>
          </h3>
          {groups.skipped.map((one) => (
            <CommentRow key={one.annotationId} comment={one} cwd={cwd} act={act} link={jumpTo} />
          ))}
          <SendReview sessionId={sessionId} comments={groups.skipped} act={act} label="Ask again" />
        </section>
      )}
      <GiveComments sessionId={sessionId} />
      <Group title="Sent" comments={groups.sent} cwd={cwd} act={act} />
      <Group title="Answered" comments={groups.answered} cwd={cwd} act={act} />
      <Group title="Settled" comments={groups.settled} cwd={cwd} act={act} />
    </div>
  );
}

const jumpTo = (seq: number, words: string) => <JumpLink seq={seq}>{words}</JumpLink>;

/** Off unless somebody turns it on: the agent then knows open comments before anybody sends them. */
function GiveComments({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isOn = useApp((state) => state.sessions.get(sessionId)?.giveComments === true);
  const agent = useApp((state) => state.agents?.find(({ id }) => id === state.sessions.get(sessionId)?.agent));
  if (agent?.refusedOptions?.includes('appendSystemPrompt')) return null;
  return (
    <label className="give-comments">
      <input type="checkbox" checked={isOn} onChange={() => void cockpit.describe(sessionId, { giveComments: !isOn })} />
      <span>Tell the agent about open comments whenever it starts</span>
    </label>
  );
}

function Empty() {
  return (
    <div className="side-words">
      <p>No comments yet.</p>
      <p className="quiet">
        Comment on a line in Changes or Files, on a message, a plan or a tool call, or select text and press c. You send all comments as one message.
      </p>
    </div>
  );
}

interface GroupProps {
  readonly title: string;
  readonly comments: readonly Comment[];
  readonly cwd: string;
  readonly act: ReturnType<typeof useComments>['act'];
}

function Group({ title, comments, cwd, act }: GroupProps) {
  if (comments.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {comments.map((one) => (
        <CommentRow key={one.annotationId} comment={one} cwd={cwd} act={act} link={jumpTo} />
      ))}
    </section>
  );
}
