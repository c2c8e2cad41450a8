import type { ReactNode } from 'react';
import { foldArrow } from '../../base/ui/small-icons.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

interface FoldProps {
  readonly foldKey: string;
  readonly label: ReactNode;
  readonly startsOpen?: boolean;
  readonly children: ReactNode;
}

/** One line until it is opened; keeps its state, even after it scrolls out of view. */
export function Fold({ foldKey, label, startsOpen = false, children }: FoldProps) {
  const cockpit = useCockpit();
  const isOpen = useApp((state) => state.expanded.get(foldKey) ?? startsOpen);
  return (
    <div className={isOpen ? 'fold open' : 'fold'}>
      <button type="button" className="fold-head" aria-expanded={isOpen} onClick={() => cockpit.setExpanded(foldKey, !isOpen)}>
        {label}
        {foldArrow}
      </button>
      {isOpen && children}
    </div>
  );
}
