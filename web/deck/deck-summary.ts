import type { DeckSections } from '../store/deck.ts';

/** What goes on now; how many sessions there are in all is for the list to say. */
export function deckSummary({ waiting, running }: DeckSections): string {
  if (waiting.length + running.length === 0) return 'nothing runs, nothing waits for you';
  const parts = running.length > 0 ? [`${running.length} running`] : [];
  if (waiting.length > 0) parts.push(`${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'} for you`);
  return parts.join(', ');
}
