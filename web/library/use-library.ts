import { useStore } from 'zustand';
import { useCockpit } from '../app/cockpit-context.ts';
import type { Library } from './library.ts';
import type { ListState } from './list-state.ts';

export const useLibrary = (): Library => useCockpit().library;

/** What the list holds; the component is drawn again when the chosen part changes. */
export function useList<T>(choose: (state: ListState) => T): T {
  return useStore(useLibrary().store, choose);
}
