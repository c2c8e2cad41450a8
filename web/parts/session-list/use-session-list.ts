import { useStore } from 'zustand';
import { useCockpit } from '../../store/cockpit-context.ts';
import type { ListState } from '../../store/session-list/list-state.ts';
import type { SessionListStore } from '../../store/session-list/session-list.ts';

export const useSessionList = (): SessionListStore => useCockpit().sessionList;

/** A part of the list's state; the component renders again when it changes. */
export function useSessionListState<T>(choose: (state: ListState) => T): T {
  return useStore(useSessionList().store, choose);
}
