import { Suspense, useState } from 'react';
import type { Session } from '../../../src/protocol/session.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';
import { dots } from '../../base/ui/small-icons.tsx';
import { useCopy } from '../../parts/common/use-copy.ts';
import { useUnread } from '../../parts/common/use-unread.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { canBeUnread } from '../../store/sessions/unread.ts';

const DescribeDialog = lazily(async () => ({ default: (await import('../../parts/dialogs/describe-dialog.tsx')).DescribeDialog }));

/** Actions on a session without opening it. */
export function RowMenu({ session }: { readonly session: Session }) {
  const cockpit = useCockpit();
  const copyText = useCopy();
  const isUnread = useUnread(session);
  const [isDescribing, setDescribing] = useState(false);
  return (
    <>
      <PopupMenu label={`More actions for ${session.title}`} className="icon-button" trigger={dots}>
        <button type="button" onClick={() => void cockpit.describe(session.id, { star: !session.star })}>
          {session.star ? 'Remove star' : 'Star'}
        </button>
        {(isUnread || canBeUnread(session)) && (
          <button type="button" onClick={() => void (isUnread ? cockpit.see(session) : cockpit.markUnread(session.id))}>
            {isUnread ? 'Mark as read' : 'Mark as unread'}
          </button>
        )}
        <button type="button" onClick={() => setDescribing(true)}>
          Title, tags and note…
        </button>
        <button type="button" onClick={() => void cockpit.describe(session.id, { archived: session.archived !== true })}>
          {session.archived ? 'Unarchive' : 'Archive'}{' '}
          <span className="quiet">{session.archived ? 'back in the list' : 'hidden from the list, still searchable'}</span>
        </button>
        <hr />
        <button type="button" onClick={() => void copyText(session.cwd)}>
          Copy folder <span className="quiet mono">{session.cwd}</span>
        </button>
      </PopupMenu>
      {isDescribing && (
        <Suspense>
          <DescribeDialog session={session} onClose={() => setDescribing(false)} />
        </Suspense>
      )}
    </>
  );
}
