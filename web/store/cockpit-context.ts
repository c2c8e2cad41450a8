import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Cockpit } from './cockpit.ts';
import type { AppState } from './state/app-state.ts';

export const CockpitContext = createContext<Cockpit | undefined>(undefined);

/** The user's actions. */
export function useCockpit(): Cockpit {
  const cockpit = useContext(CockpitContext);
  if (cockpit === undefined) throw new Error('useCockpit is used outside of the app');
  return cockpit;
}

/** A part of the state; the component renders again when it changes. */
export function useApp<T>(choose: (state: AppState) => T): T {
  return useStore(useCockpit().store, choose);
}
