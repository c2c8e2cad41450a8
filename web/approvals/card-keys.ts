import type { Bindings } from '../actions/actions.ts';
import { useActions } from '../actions/actions-context.ts';

const NONE: Bindings = {};

/** Keys of a card, while they mean this one. */
export function useCardKeys(hasKeys: boolean, keys: Bindings): void {
  useActions(hasKeys ? keys : NONE);
}
