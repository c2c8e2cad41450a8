import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Appearance, AppearanceDesk } from './appearance.ts';

export const AppearanceContext = createContext<AppearanceDesk | undefined>(undefined);

/** How the page looks, and how to change it. */
export function useAppearance(): readonly [Appearance, AppearanceDesk['change']] {
  const desk = useContext(AppearanceContext);
  if (desk === undefined) throw new Error('useAppearance is used outside of the app');
  return [useStore(desk.store), desk.change];
}
