import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { Actions, Bindings } from './actions.ts';

export const ActionsContext = createContext<Actions | undefined>(undefined);

/** Whether shortcuts apply to this part of the page: of several tiles, only one has them. */
export const KeysActiveContext = createContext(true);

export function useRegistry(): Actions {
  const actions = useContext(ActionsContext);
  if (actions === undefined) throw new Error('useRegistry is used outside of the app');
  return actions;
}

export const useKeysActive = (): boolean => useContext(KeysActiveContext);

/** Binds actions while the component is mounted and shortcuts apply to it. Layout effects keep a key from acting on something no longer shown. */
export function useActions(bindings: Bindings): void {
  const actions = useRegistry();
  const isActive = useKeysActive();
  const current = useRef(bindings);
  useLayoutEffect(() => {
    current.current = bindings;
  });
  useLayoutEffect(() => (isActive ? actions.bind(() => current.current) : undefined), [actions, isActive]);
}
