import { type PushSettingsPatch, PushState, type SubscribeBody } from '../../../src/protocol/api/outside/push.ts';
import { caller } from './api.ts';

/** Notifications while no page is open. Throws the server's message if it refuses. */
export interface PushApi {
  state(): Promise<PushState>;
  subscribe(body: SubscribeBody): Promise<void>;
  unsubscribe(deviceId: string): Promise<void>;
  settle(patch: PushSettingsPatch): Promise<void>;
  test(): Promise<void>;
}

export function createPushApi(base: string): PushApi {
  const call = caller(base);
  return {
    state: async () => PushState.parse(await call('GET', 'api/push')),
    subscribe: async (body) => void (await call('POST', 'api/push/devices', body)),
    unsubscribe: async (id) => void (await call('DELETE', `api/push/devices/${encodeURIComponent(id)}`)),
    settle: async (patch) => void (await call('PATCH', 'api/push/settings', patch)),
    test: async () => void (await call('POST', 'api/push/test', {})),
  };
}
