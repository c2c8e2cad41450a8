import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { SettingsState, SettingsStore } from './settings-store.ts';

export const SettingsContext = createContext<SettingsStore | undefined>(undefined);

export function useSettings(): SettingsStore {
  const settings = useContext(SettingsContext);
  if (settings === undefined) throw new Error('useSettings is used outside of the settings');
  return settings;
}

export function useSettingsState<T>(choose: (state: SettingsState) => T): T {
  return useStore(useSettings().store, choose);
}
