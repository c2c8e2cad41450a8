import type { DeckSections } from '../store/deck.ts';
import { countText } from '../ui/words.ts';

export function deckSummary({ waiting, running, recent }: DeckSections): string {
  const all = waiting.length + running.length + recent.length;
  const parts = [countText(all, 'session')];
  if (running.length > 0) parts.push(`${running.length} running`);
  if (waiting.length > 0) parts.push(`${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'} for you`);
  return parts.join(', ');
}
