import { useStore } from 'zustand';
import { Dialog } from '../../../base/ui/dialog.tsx';
import { closeSheet, navOpen } from './nav-open.ts';
import SessionNav from './session-nav.tsx';

/** The list on a narrow page: a sheet over the transcript that closes with a choice. */
export default function NavSheet({ sessionId }: { readonly sessionId: string }) {
  const isOpen = useStore(navOpen, (state) => state.isSheetOpen);
  if (!isOpen) return null;
  return (
    <Dialog title="Sessions" className="dialog sheet" onClose={closeSheet}>
      <SessionNav sessionId={sessionId} onChoose={closeSheet} />
    </Dialog>
  );
}
