import { Suspense, useState } from 'react';
import type { Session } from '../../src/protocol/session.ts';
import { useCockpit } from '../app/cockpit-context.ts';
import { lazily } from '../ui/lazily.ts';
import { PopupMenu } from '../ui/popup-menu.tsx';
import { dots } from '../ui/small-icons.tsx';
import { useCopy } from '../ui/use-copy.ts';

const DescribeDialog = lazily(async () => ({ default: (await import('./describe-dialog.tsx')).DescribeDialog }));

/** What can be done with a session without opening it. */
export function RowMenu({ session }: { readonly session: Session }) {
  const cockpit = useCockpit();
  const copyText = useCopy();
  const [isDescribing, setDescribing] = useState(false);
  return (
    <>
      <PopupMenu label={`More about ${session.title}`} className="icon-button" face={dots}>
        <button type="button" onClick={() => void cockpit.describe(session.id, { star: !session.star })}>
          {session.star ? 'Take the star away' : 'Star'}
        </button>
        <button type="button" onClick={() => setDescribing(true)}>
          Title, tags and note…
        </button>
        <button type="button" onClick={() => void cockpit.describe(session.id, { archived: session.archived !== true })}>
          {session.archived ? 'Take out of the archive' : 'Archive'}{' '}
          <span className="quiet">{session.archived ? 'back into the list' : 'leaves the list, stays findable'}</span>
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
