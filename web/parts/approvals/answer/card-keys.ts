import { createContext, type RefObject, useContext } from 'react';
import type { Binding, Bindings } from '../../../base/actions/actions.ts';
import { useActions } from '../../../base/actions/actions-context.ts';

const NONE: Bindings = {};

/** The card that the answers below it belong to. */
export const CardContext = createContext<RefObject<HTMLElement | null>>({ current: null });

type Run = Binding['run'] | undefined;
type CardKeys = { readonly [id in 'request.allow' | 'request.edit' | 'request.remember' | 'request.deny' | 'request.choose']?: Run };

/** Keys of a card, while it is the selected one. A card that was scrolled out of view comes back into view first: nobody answers what they can't see. */
export function useCardKeys(hasKeys: boolean, keys: CardKeys): void {
  const card = useContext(CardContext);
  const inView = (run: Run): Run => run && ((event) => (isInView(card.current) ? run(event) : card.current?.scrollIntoView({ block: 'nearest' })));
  useActions(
    hasKeys
      ? {
          'request.allow': inView(keys['request.allow']),
          'request.edit': inView(keys['request.edit']),
          'request.remember': inView(keys['request.remember']),
          'request.deny': inView(keys['request.deny']),
          'request.choose': inView(keys['request.choose']),
        }
      : NONE,
  );
}

/** Less than a line of text is not readable. */
const ENOUGH_PX = 24;

function isInView(card: HTMLElement | null): boolean {
  if (card === null) return true;
  const { top, bottom, height } = card.getBoundingClientRect();
  const scrollers = scrollersOf(card).map((scroller) => scroller.getBoundingClientRect());
  const from = Math.max(top, 0, ...scrollers.map((scroller) => scroller.top));
  const to = Math.min(bottom, innerHeight, ...scrollers.map((scroller) => scroller.bottom));
  return to - from >= Math.min(ENOUGH_PX, height);
}

/** The scrolling elements around it. */
function scrollersOf(element: HTMLElement): readonly HTMLElement[] {
  const parent = element.parentElement;
  if (parent === null || parent === document.body) return [];
  return /auto|scroll/.test(getComputedStyle(parent).overflowY) ? [parent, ...scrollersOf(parent)] : scrollersOf(parent);
}
