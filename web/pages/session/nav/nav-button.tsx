import { PanelLeft } from 'lucide-react';
import { useStore } from 'zustand';
import { useMedia } from '../../../base/browser/use-media.ts';
import { NARROW, navOpen, toggleNav } from './nav-open.ts';

export function NavButton() {
  const isNarrow = useMedia(NARROW);
  const isOpen = useStore(navOpen, (state) => (isNarrow ? state.isSheetOpen : state.isOpen));
  return (
    <button type="button" className="icon-button nav-button" aria-label="Sessions" title="Sessions (l)" aria-expanded={isOpen} onClick={toggleNav}>
      <PanelLeft size={18} aria-hidden="true" />
    </button>
  );
}
