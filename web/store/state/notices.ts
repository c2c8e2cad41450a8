import type { AppState, Notice } from './app-state.ts';

/** More would cover what they speak of. */
const SHOWN = 3;

export function withNotice(state: AppState, level: Notice['level'], text: string): AppState {
  if (state.notices.some((notice) => notice.text === text)) return state;
  const id = 1 + Math.max(0, ...state.notices.map((notice) => notice.id));
  return { ...state, notices: [...state.notices, { id, level, text }].slice(-SHOWN) };
}

export const withoutNotice = (state: AppState, id: number): AppState => ({ ...state, notices: state.notices.filter((notice) => notice.id !== id) });
