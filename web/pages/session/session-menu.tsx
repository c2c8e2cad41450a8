import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazily } from '../../base/browser/lazily.ts';
import { memoryText } from '../../base/text/format.ts';
import { missingText } from '../../base/text/missing-text.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';
import { useCapabilities } from '../../parts/common/use-capabilities.ts';
import { useCopy } from '../../parts/common/use-copy.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

const MuteItem = lazily(() => import('../../parts/session-actions/mute-item.tsx'));
const HandoverDialog = lazily(() => import('../../parts/dialogs/handover-dialog.tsx'));

export function SessionMenu({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const copyText = useCopy();
  const navigate = useNavigate();
  const [isHandingOver, setHandingOver] = useState(false);
  const session = useApp((state) => state.sessions.get(sessionId));
  const can = useCapabilities(sessionId);
  if (session === undefined) return null;
  const isAlive = session.control === 'here';
  const fork = async () => {
    const forked = await cockpit.fork(sessionId);
    if (forked !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: forked.id } });
  };
  return (
    <>
      <PopupMenu label="More" className="icon-button" trigger={<EllipsisVertical size={18} aria-hidden="true" />}>
        {can?.fork && (
          <button type="button" onClick={() => void fork()}>
            Fork <span className="quiet">continue in a copy, keep this one</span>
          </button>
        )}
        <button type="button" onClick={() => setHandingOver(true)}>
          New session with summary…
        </button>
        <hr />
        {isAlive ? (
          <button type="button" disabled={session.status !== 'idle' && session.status !== 'failed'} onClick={() => void cockpit.sleep(sessionId)}>
            Sleep <span className="quiet">{session.rssBytes === undefined ? 'frees its memory' : `frees ${memoryText(session.rssBytes)}`}</span>
          </button>
        ) : (
          <button type="button" disabled={session.control === 'elsewhere'} onClick={() => void cockpit.wake(sessionId)}>
            Wake <span className="quiet">starts the agent</span>
          </button>
        )}
        <button type="button" disabled={!isAlive} onClick={() => void cockpit.stop(sessionId)}>
          Stop the agent <span className="quiet">your next message wakes it</span>
        </button>
        <button type="button" onClick={() => void cockpit.setPrivate(sessionId, session.closed !== true)}>
          {session.closed ? 'Share with everyone' : 'Make private'}{' '}
          <span className="quiet">{session.closed ? 'only its owner can see it now' : 'only its owner can see it'}</span>
        </button>
        <Suspense>
          <MuteItem sessionId={sessionId} />
        </Suspense>
        <hr />
        <button type="button" onClick={() => void copyText(session.cwd)}>
          Copy folder <span className="quiet mono">{session.cwd}</span>
        </button>
        <button type="button" onClick={() => void copyText(sessionId)}>
          Copy session ID
        </button>
        {can !== undefined && missingText(can) !== '' && <p className="menu-fact">{missingText(can)}</p>}
        {session.rssBytes !== undefined && <p className="menu-fact">Uses {memoryText(session.rssBytes)} of memory</p>}
      </PopupMenu>
      {isHandingOver && (
        <Suspense>
          <HandoverDialog sessionId={sessionId} onClose={() => setHandingOver(false)} />
        </Suspense>
      )}
    </>
  );
}
