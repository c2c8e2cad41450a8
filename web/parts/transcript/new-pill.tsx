import { ArrowDown } from 'lucide-react';
import { numberText } from '../../base/words/words.ts';

interface NewPillProps {
  readonly unseen: number;
  /** Events between what is looked at and the end. */
  readonly newer: number;
  readonly onClick: () => void;
}

export function NewPill({ unseen, newer, onClick }: NewPillProps) {
  return (
    <button type="button" className="new-pill" onClick={onClick}>
      <ArrowDown size={14} aria-hidden="true" />
      {unseen > 0 ? `${unseen} new` : 'To the end'}
      {newer > 0 && <span className="quiet">{numberText(newer)} newer</span>}
    </button>
  );
}
