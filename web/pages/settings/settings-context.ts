import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { House, HouseState } from './settings-store.ts';

export const HouseContext = createContext<House | undefined>(undefined);

export function useHouse(): House {
  const house = useContext(HouseContext);
  if (house === undefined) throw new Error('useHouse is used outside of the settings');
  return house;
}

export function useHouseState<T>(choose: (state: HouseState) => T): T {
  return useStore(useHouse().store, choose);
}
