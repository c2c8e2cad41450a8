import { createStore, type StoreApi } from 'zustand/vanilla';
import { settled } from '../../../src/domain/push/apply-settings.ts';
import type { PushSettingsPatch, PushState } from '../../../src/protocol/api/outside/push.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { createPushApi, type PushApi } from '../../client/http/push-api.ts';
import { deviceHere, deviceName, obstacle, subscribeHere, unsubscribeHere } from '../../client/push-subscription.ts';

export interface PushView {
  /** Undefined until it is known. */
  readonly state: PushState | undefined;
  /** Why this browser can't get notifications. */
  readonly obstacle: string | undefined;
  /** Whether this browser gets notifications; undefined until known. */
  readonly isHere: boolean | undefined;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
}

/** Notifications while no page is open. */
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
  let known: PushState | undefined;
  /** Shown at once; until the server accepts them they override its answers. */
  const unsettled: PushSettingsPatch[] = [];
  const show = () => store.setState({ state: known && { ...known, settings: unsettled.reduce(settled, known.settings) } });
  const load = async () => {
    known = await api.state();
    const { devices } = known;
    const permission = 'Notification' in window ? Notification.permission : undefined;
    const here = await deviceHere();
    store.setState({ obstacle: obstacle(window, permission), isHere: devices.some(({ id }) => id === here) });
    show();
  };
  let running = 0;
  const run = async (work: () => Promise<unknown>) => {
    running += 1;
    store.setState({ isBusy: true, problem: undefined });
    await work()
      .then(load)
      .catch((error: unknown) => store.setState({ problem: messageOf(error) }));
    running -= 1;
    store.setState({ isBusy: running > 0 });
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
      unsettled.push(patch);
      show();
      const forget = () => void unsettled.splice(unsettled.indexOf(patch), 1);
      return run(() =>
        api.settle(patch).then(forget, (error: unknown) => {
          forget();
          show();
          throw error;
        }),
      );
    },
    test: () => run(() => api.test()),
  };
}

let opened: Push | undefined;

/** One for the page, created on first use. */
export function pushHere(): Push {
  opened ??= openPush(createPushApi(document.baseURI));
  return opened;
}
