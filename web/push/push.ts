import { createStore, type StoreApi } from 'zustand/vanilla';
import { settled } from '../../src/domain/push/settle.ts';
import type { PushSettingsPatch, PushState } from '../../src/protocol/push.ts';
import { createPushApi, type PushApi } from './push-api.ts';
import { deviceHere, deviceName, obstacle, subscribeHere, unsubscribeHere } from './this-browser.ts';

export interface PushView {
  /** Undefined until it is known. */
  readonly state: PushState | undefined;
  /** Why this browser cannot be told. */
  readonly obstacle: string | undefined;
  /** Whether this browser is told; undefined until it is known. */
  readonly isHere: boolean | undefined;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
}

/** How a person is told when no page is open. */
export interface Push {
  readonly store: StoreApi<PushView>;
  load(): Promise<void>;
  switchOn(): Promise<void>;
  switchOff(): Promise<void>;
  forget(deviceId: string): Promise<void>;
  settle(patch: PushSettingsPatch): Promise<void>;
  test(): Promise<void>;
}

export function openPush(api: PushApi): Push {
  const store = createStore<PushView>(() => ({ state: undefined, obstacle: undefined, isHere: undefined, isBusy: false, problem: undefined }));
  const load = async () => {
    const state = await api.state();
    const permission = 'Notification' in window ? Notification.permission : undefined;
    const here = await deviceHere();
    store.setState({ state, obstacle: obstacle(window, permission), isHere: state.devices.some(({ id }) => id === here) });
  };
  const run = async (work: () => Promise<unknown>) => {
    store.setState({ isBusy: true, problem: undefined });
    await work()
      .then(load)
      .catch((error: unknown) => store.setState({ problem: error instanceof Error ? error.message : String(error) }));
    store.setState({ isBusy: false });
  };
  return {
    store,
    load: () => run(async () => undefined),
    switchOn: () =>
      run(async () => {
        const target = await subscribeHere((await api.state()).publicKey);
        await api.subscribe({ ...target, device: deviceName(navigator.userAgent) });
      }),
    switchOff: () =>
      run(async () => {
        const here = await deviceHere();
        if (here !== undefined) await api.unsubscribe(here);
        await unsubscribeHere();
      }),
    forget: (deviceId) => run(() => api.unsubscribe(deviceId)),
    settle: (patch) => {
      // Shown at once; what the server says afterwards is the truth.
      const before = store.getState().state;
      store.setState({ state: before && { ...before, settings: settled(before.settings, patch) } });
      return run(() =>
        api.settle(patch).catch((error: unknown) => {
          store.setState({ state: before });
          throw error;
        }),
      );
    },
    test: () => run(() => api.test()),
  };
}

let opened: Push | undefined;

/** One for the whole page, made when somebody first looks. */
export function pushHere(): Push {
  opened ??= openPush(createPushApi(document.baseURI));
  return opened;
}
