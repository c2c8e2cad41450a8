import type { PushMessage } from '../../protocol/api/outside/push.ts';
import type { Deliver } from './deliver.ts';
import { withoutDevice, withProblem } from './push-changes.ts';
import type { PushStore, StoredDevice } from './push-store.ts';

export type Send = (personId: string, device: StoredDevice, message: PushMessage) => Promise<void>;

/** Sends and stores the result; a browser that is gone is removed. */
export const sender =
  (store: PushStore, deliver: Deliver): Send =>
  async (personId, device, message) => {
    const outcome = await deliver(device, message);
    if (outcome === 'gone') return store.change((stored) => withoutDevice(stored, personId, device.id));
    const problem = outcome === 'taken' ? undefined : outcome.problem;
    const known = store.now().people[personId]?.devices.find(({ id }) => id === device.id);
    if (known === undefined || known.problem === problem) return;
    await store.change((stored) => withProblem(stored, personId, device.id, problem));
  };
