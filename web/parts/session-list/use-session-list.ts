import { useStore } from 'zustand';
import { useCockpit } from '../../store/cockpit-context.ts';
import type { ListState } from '../../store/session-list/list-state.ts';
import type { Library } from '../../store/session-list/session-list.ts';

export const useLibrary = (): Library => useCockpit().library;

/** What the list holds; the component is drawn again when the chosen part changes. */
export function useList<T>(choose: (state: ListState) => T): T {
  return useStore(useLibrary().store, choose);
}
