import type { DeckSections } from '../../store/sessions/deck.ts';
import { isWaiting } from '../../store/sessions/deck.ts';

/** What goes on now; how many sessions there are in all is for the list to say. */
export function deckSummary({ running }: DeckSections): string {
  if (running.length === 0) return 'nothing runs, nothing waits for you';
  const waiting = running.filter(isWaiting).length;
  const parts = running.length > waiting ? [`${running.length - waiting} running`] : [];
  if (waiting > 0) parts.push(`${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`);
  return parts.join(', ');
}
