import { ArrowDown } from 'lucide-react';

export function NewPill({ unseen, onClick }: { readonly unseen: number; readonly onClick: () => void }) {
  return (
    <button type="button" className="new-pill" onClick={onClick}>
      <ArrowDown size={14} aria-hidden="true" />
      {unseen > 0 ? `${unseen} new` : 'To the end'}
    </button>
  );
}
