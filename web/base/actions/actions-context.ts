import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { Actions, Bindings } from './actions.ts';

export const ActionsContext = createContext<Actions | undefined>(undefined);

/** Whether keys mean this part of the page: of several sessions side by side, one has them. */
export const HeardContext = createContext(true);

export function useRegistry(): Actions {
  const actions = useContext(ActionsContext);
  if (actions === undefined) throw new Error('useRegistry is used outside of the app');
  return actions;
}

export const useIsHeard = (): boolean => useContext(HeardContext);

/** Binds actions for as long as the component is shown and keys mean its part of the page. They change in the moment in which the page does: a key acts on what is shown. */
export function useActions(bindings: Bindings): void {
  const actions = useRegistry();
  const isHeard = useIsHeard();
  const current = useRef(bindings);
  useLayoutEffect(() => {
    current.current = bindings;
  });
  useLayoutEffect(() => (isHeard ? actions.bind(() => current.current) : undefined), [actions, isHeard]);
}
