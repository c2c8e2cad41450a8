import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Appearance, AppearanceStore } from './appearance.ts';

export const AppearanceContext = createContext<AppearanceStore | undefined>(undefined);

/** How the page looks, and how to change it. */
export function useAppearance(): readonly [Appearance, AppearanceStore['change']] {
  const appearance = useContext(AppearanceContext);
  if (appearance === undefined) throw new Error('useAppearance is used outside of the app');
  return [useStore(appearance.store), appearance.change];
}
