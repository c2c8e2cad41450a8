import { messageOf } from '../../base/text/message-of.ts';
import type { AppState, Notice } from './app-state.ts';
import type { StoreContext } from './store-context.ts';

/** More would cover the page. */
const SHOWN = 3;

export function withNotice(state: AppState, level: Notice['level'], text: string): AppState {
  if (state.notices.some((notice) => notice.text === text)) return state;
  const id = 1 + Math.max(0, ...state.notices.map((notice) => notice.id));
  return { ...state, notices: [...state.notices, { id, level, text }].slice(-SHOWN) };
}

export const withoutNotice = (state: AppState, id: number): AppState => ({ ...state, notices: state.notices.filter((notice) => notice.id !== id) });

/** Shows a failure as a notice; resolves to undefined then. */
export const noticeOnError = <T>({ store }: StoreContext, work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    store.setState((state) => withNotice(state, 'error', messageOf(error)));
    return undefined;
  });
