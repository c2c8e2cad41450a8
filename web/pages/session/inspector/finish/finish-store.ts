import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Finish, Side, SideDiff, StageBody } from '../../../../../src/protocol/api/finish.ts';
import type { FinishApi } from '../../../../client/http/finish-api.ts';
import { errorText, oneAtATime } from '../../../../parts/common/one-at-a-time.ts';

export type Repository = Extract<Finish, { repository: true }>;

export interface FinishPaneState {
  readonly finish: Finish | undefined;
  /** Diffs of opened files, by `keyOf`. */
  readonly diffs: ReadonlyMap<string, SideDiff>;
  /** An act is on its way: one at a time, so that each sees what the one before did. */
  readonly busy: boolean;
  readonly problem: string | undefined;
}

export interface FinishStore {
  readonly store: StoreApi<FinishPaneState>;
  readonly api: FinishApi;
  refresh(): Promise<void>;
  open(side: Side, path: string): void;
  close(side: Side, path: string): void;
  change(act: 'stage' | 'unstage' | 'discard', body: StageBody): Promise<void>;
  /** Runs an act and reloads; false if it was refused. */
  act(work: () => Promise<unknown>): Promise<boolean>;
}

export const keyOf = (side: Side, path: string): string => `${side} ${path}`;

export function openFinishStore(api: FinishApi): FinishStore {
  const store = createStore<FinishPaneState>(() => ({ finish: undefined, diffs: new Map(), busy: false, problem: undefined }));
  const opened = new Map<string, { readonly side: Side; readonly path: string }>();
  const load = async (file: { readonly side: Side; readonly path: string }) => {
    const finish = await api.read(file);
    const diff = finish.repository ? finish.diff : undefined;
    const key = keyOf(file.side, file.path);
    if (diff !== undefined && opened.has(key)) store.setState(({ diffs }) => ({ diffs: new Map(diffs).set(key, diff) }));
  };
  const refresh = oneAtATime(async () => {
    try {
      const finish = await api.read();
      store.setState({ finish });
      for (const [key, file] of opened) {
        const isThere = finish.repository && finish[file.side].some(({ path }) => path === file.path);
        if (isThere) await load(file);
        else opened.delete(key);
      }
      store.setState(({ diffs }) => ({ diffs: new Map([...diffs].filter(([key]) => opened.has(key))) }));
    } catch (error) {
      store.setState({ problem: errorText(error) });
    }
  });
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (store.getState().busy) return false;
    store.setState({ busy: true, problem: undefined });
    const problem = await work().then(
      () => undefined,
      (error: unknown) => errorText(error),
    );
    await refresh();
    store.setState({ busy: false, ...(problem !== undefined && { problem }) });
    return problem === undefined;
  };
  return {
    store,
    api,
    refresh,
    open: (side, path) => {
      opened.set(keyOf(side, path), { side, path });
      load({ side, path }).catch((error: unknown) => store.setState({ problem: errorText(error) }));
    },
    close: (side, path) => {
      opened.delete(keyOf(side, path));
      store.setState(({ diffs }) => ({ diffs: new Map([...diffs].filter(([key]) => key !== keyOf(side, path))) }));
    },
    change: async (how, body) => void (await act(() => api.change(how, body))),
    act,
  };
}
