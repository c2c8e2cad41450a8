import { ArrowDown } from 'lucide-react';
import { numberText } from '../../base/text/format.ts';

interface NewPillProps {
  readonly unseen: number;
  /** Events between the shown window and the end. */
  readonly newer: number;
  readonly onClick: () => void;
}

export function NewPill({ unseen, newer, onClick }: NewPillProps) {
  return (
    <button type="button" className="new-pill" onClick={onClick}>
      <ArrowDown size={14} aria-hidden="true" />
      {unseen > 0 ? `${unseen} new` : 'Jump to end'}
      {newer > 0 && <span className="quiet">{numberText(newer)} newer</span>}
    </button>
  );
}
