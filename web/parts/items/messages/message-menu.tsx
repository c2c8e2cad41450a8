import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Session } from '../../../../src/protocol/session.ts';
import { lazily } from '../../../base/browser/lazily.ts';
import { PopupMenu } from '../../../base/ui/popup-menu.tsx';
import { dots } from '../../../base/ui/small-icons.tsx';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import { useCopy } from '../../common/use-copy.ts';
import { MarkButtons, NOTE, STAR, UNSTAR } from '../marks/mark-buttons.tsx';
import { useMarking } from '../marks/marking-context.ts';
import { useIsCalm } from './idle-context.ts';

const RewindDialog = lazily(() => import('../../dialogs/rewind-dialog.tsx'));

interface Message {
  readonly sessionId: string;
  readonly seq: number;
  readonly text: string;
  readonly isPerson: boolean;
}

/** What can be begun at a message: a copy, another way on, the files as they were. Nobody reaches for it before he has seen the message. */
export function MessageMenu(message: Message) {
  return <span className="message-menu">{useIsCalm() && <Inside {...message} />}</span>;
}

function Inside(message: Message) {
  const [isRewinding, setRewinding] = useState(false);
  const marking = useMarking();
  return (
    <>
      <PopupMenu label="About this message" className="icon-button" face={dots}>
        <Choices {...message} onRewind={() => setRewinding(true)} />
      </PopupMenu>
      {marking?.isNear && <MarkButtons marking={marking} />}
      {isRewinding && (
        <Suspense>
          <RewindDialog sessionId={message.sessionId} seq={message.seq} onClose={() => setRewinding(false)} />
        </Suspense>
      )}
    </>
  );
}

function Choices({ sessionId, seq, text, isPerson, onRewind }: Message & { readonly onRewind: () => void }) {
  const cockpit = useCockpit();
  const copyText = useCopy();
  const navigate = useNavigate();
  const session = useApp((state) => state.sessions.get(sessionId));
  const marking = useMarking();
  const can = useCapabilities(sessionId);
  const goTo = async (asked: Promise<Session | undefined>) => {
    const made = await asked;
    if (made !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: made.id } });
  };
  return (
    <>
      <button type="button" onClick={() => void copyText(text)}>
        Copy the text
      </button>
      {marking !== undefined && (
        <>
          <button type="button" onClick={marking.toggleStar}>
            {marking.isStarred ? UNSTAR : STAR}
          </button>
          <button type="button" onClick={marking.write}>
            {NOTE}…
          </button>
        </>
      )}
      {can?.forkAt && (
        <button type="button" onClick={() => void goTo(cockpit.fork(sessionId, seq))}>
          Fork from here <span className="quiet">a copy goes on; this one stays</span>
        </button>
      )}
      {can?.forkAt && session !== undefined && (
        <button type="button" onClick={() => void goTo(cockpit.continueFrom(session, seq))}>
          Continue from here <span className="quiet">the agent forgets what came later</span>
        </button>
      )}
      {can?.rewind && isPerson && (
        <button type="button" onClick={onRewind}>
          Put files back to here…
        </button>
      )}
    </>
  );
}
