import { useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import type { Session } from '../../../../src/protocol/session.ts';
import { lazily } from '../../../base/browser/lazily.ts';
import { PopupMenu } from '../../../base/ui/popup-menu.tsx';
import { dots } from '../../../base/ui/small-icons.tsx';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { useComment } from '../../annotations/comment-context.ts';
import { messageAt, textPlace } from '../../annotations/message-place.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import { useCopy } from '../../common/use-copy.ts';
import { MarkButtons, STAR, UNSTAR } from '../marks/mark-buttons.tsx';
import { useMarking } from '../marks/marking-context.ts';
import { useIsIdle } from './idle-context.ts';

const RevertDialog = lazily(() => import('../../dialogs/revert-dialog.tsx'));

interface Message {
  readonly sessionId: string;
  readonly seq: number;
  readonly text: string;
  readonly isPerson: boolean;
}

/** What can be done at a message: copy, fork, rewind, restore files. Rendered after the first paint: nobody needs it before they have read the message. */
export function MessageMenu(message: Message) {
  const menu = useRef<HTMLSpanElement>(null);
  const open = useComment();
  const comment = open && (() => open(textPlace(messageAt(message.sessionId, message.seq, message.text), menu.current?.parentElement ?? null)));
  return (
    <span className="message-menu" ref={menu}>
      {useIsIdle() && <MenuAndMarks {...message} comment={comment} />}
    </span>
  );
}

interface Commented extends Message {
  /** Opens the comment form: for the selected words of this message, or for all of it. */
  readonly comment: (() => void) | undefined;
}

function MenuAndMarks(message: Commented) {
  const [isRewinding, setRewinding] = useState(false);
  const can = useCapabilities(message.sessionId);
  const marking = useMarking();
  return (
    <>
      <PopupMenu label="Message actions" className="icon-button" trigger={dots}>
        <Choices {...message} onRewind={() => setRewinding(true)} />
      </PopupMenu>
      {marking?.isNear && <MarkButtons marking={marking} comment={message.comment} />}
      {isRewinding && (
        <Suspense>
          <RevertDialog sessionId={message.sessionId} to={message.seq} canRewind={can?.rewind === true} onClose={() => setRewinding(false)} />
        </Suspense>
      )}
    </>
  );
}

function Choices({ sessionId, seq, text, isPerson, comment, onRewind }: Commented & { readonly onRewind: () => void }) {
  const cockpit = useCockpit();
  const copyText = useCopy();
  const navigate = useNavigate();
  const session = useApp((state) => state.sessions.get(sessionId));
  const marking = useMarking();
  const can = useCapabilities(sessionId);
  const goTo = async (created: Promise<Session | undefined>) => {
    const made = await created;
    if (made !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: made.id } });
  };
  return (
    <>
      <button type="button" onClick={() => void copyText(text)}>
        Copy text
      </button>
      {comment !== undefined && (
        <button type="button" onClick={comment}>
          Comment…
        </button>
      )}
      {marking !== undefined && (
        <>
          <button type="button" onClick={marking.toggleStar}>
            {marking.isStarred ? UNSTAR : STAR}
          </button>
          <button type="button" onClick={marking.tag}>
            Tags…
          </button>
        </>
      )}
      {can?.forkAt && (
        <button type="button" onClick={() => void goTo(cockpit.fork(sessionId, seq))}>
          Fork from here <span className="quiet">continue in a copy, keep this one</span>
        </button>
      )}
      {can?.forkAt && session !== undefined && (
        <button type="button" onClick={() => void goTo(cockpit.continueFrom(session, seq))}>
          Rewind to here <span className="quiet">the agent forgets everything after this</span>
        </button>
      )}
      {isPerson && session !== undefined && (can?.rewind || session.past === undefined || session.lastSeq > session.past.lastSeq) && (
        <button type="button" onClick={onRewind}>
          Restore files to this point…
        </button>
      )}
    </>
  );
}
