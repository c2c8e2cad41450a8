import { useEffect, useRef } from 'react';
import type { Proposal } from './completion.ts';

interface CompletionListProps {
  readonly id: string;
  readonly proposals: readonly Proposal[];
  readonly chosen: number;
  readonly onTake: (proposal: Proposal) => void;
}

export const optionId = (listId: string, at: number): string => `${listId}-${at}`;

/** Above the field, so that nothing below moves. The field keeps the focus and refers to the list by id. */
export function CompletionList({ id, proposals, chosen, onTake }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => void list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <div ref={list} id={id} className="completion" role="listbox" aria-label="Suggestions">
      {proposals.map((proposal, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen one
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={proposal.text}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === chosen}
          className="completion-option"
          // Pressing must not take the focus from the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(proposal)}
        >
          <span className="mono">{proposal.label}</span>
          {proposal.hint !== undefined && <span className="quiet">{proposal.hint}</span>}
        </div>
      ))}
    </div>
  );
}
