import { EllipsisVertical } from 'lucide-react';
import { Suspense } from 'react';
import { lazily } from '../../base/browser/lazily.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';

const SessionChoices = lazily(() => import('./session-choices.tsx'));

/** Everything that can be done with this session: the same actions as in the palette. */
export function SessionMenu({ sessionId }: { readonly sessionId: string }) {
  return (
    <PopupMenu label="More" className="icon-button" trigger={<EllipsisVertical size={18} aria-hidden="true" />}>
      <Suspense>
        <SessionChoices sessionId={sessionId} />
      </Suspense>
    </PopupMenu>
  );
}
