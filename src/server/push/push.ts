import { settled } from '../../domain/push/apply-settings.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { PushDevice, PushSettings, PushSettingsPatch, PushState, PushTarget, SubscribeBody } from '../../protocol/api/outside/push.ts';
import type { Refusal } from '../../protocol/command.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Log } from '../shared/log.ts';
import { deliverer } from './deliver.ts';
import { startNotifier } from './notifier.ts';
import { withDevice, withoutDevice } from './push-changes.ts';
import { endpointProblem } from './push-hosts.ts';
import { newDevice, openPushStore, type StoredDevice, subscriberOf, withSubscriber } from './push-store.ts';
import { isTimeZone } from './quiet.ts';
import { seal } from './seal.ts';
import { sender } from './send.ts';
import { openVapid } from './vapid.ts';

/** Notifies people through their browsers' push services while no page is open. */
export interface Push {
  state(actor: Actor): PushState;
  subscribe(actor: Actor, body: SubscribeBody): Promise<PushDevice | Refusal>;
  /** False when there is no such device. */
  unsubscribe(actor: Actor, deviceId: string): Promise<boolean>;
  settle(actor: Actor, patch: PushSettingsPatch): Promise<PushSettings | Refusal>;
  /** Sends a message to the person's own browsers and returns the results. */
  test(actor: Actor): Promise<readonly PushDevice[]>;
  /** Whether any browser gets notifications. */
  hasDevices(): boolean;
  /** Resolves when everything is stored. */
  close(): Promise<void>;
}

export interface PushParts {
  readonly dataDir: string;
  readonly engine: Engine;
  readonly tokens: Pick<Tokens, 'claimed'>;
  /** Push services allowed in addition to those of the known browsers. */
  readonly hosts: readonly string[];
  readonly log: Log;
  readonly now?: () => number;
  readonly pausesMs?: readonly number[];
}

const TEST_MESSAGE = { title: 'Signalbox', body: 'Notifications work. This is how we let you know when something needs you.', path: '', tag: 'trial' };

export function openPush(parts: PushParts): Push {
  const { dataDir, now = Date.now, hosts } = parts;
  const store = openPushStore(dataDir);
  const vapid = openVapid(dataDir);
  const deliver = deliverer({ vapid, now, ...(parts.pausesMs && { pausesMs: parts.pausesMs }) });
  const send = sender(store, deliver);
  const stop = startNotifier({ ...parts, now }, store, send);
  const devicesOf = (actor: Actor): readonly StoredDevice[] => store.now().people[actor.id]?.devices ?? [];
  return {
    hasDevices: () => Object.values(store.now().people).some(({ devices }) => devices.length > 0),
    state: (actor) => ({
      publicKey: vapid.publicKey,
      devices: devicesOf(actor).map(shown),
      settings: subscriberOf(store.now(), actor.id, actor.name).settings,
    }),
    subscribe: async (actor, { device, ...target }) => {
      const problem = endpointProblem(target.endpoint, hosts);
      if (problem !== undefined) return { refused: 'bad-request', message: problem };
      const others = devicesOf(actor).filter((known) => known.endpoint !== target.endpoint);
      if (others.length >= LIMITS.pushDevices)
        return { refused: 'too-large', message: `At most ${LIMITS.pushDevices} browsers can get notifications. Remove one first.` };
      if (!isKey(target)) return { refused: 'bad-request', message: 'keys.p256dh must be a P-256 public key.' };
      const by = parts.tokens.claimed(actor.name)?.hash ?? '';
      const made = newDevice(device, target, new Date(now()).toISOString(), by);
      await store.change((stored) => withDevice(stored, actor.id, actor.name, made));
      return shown(made);
    },
    unsubscribe: async (actor, deviceId) => {
      if (!devicesOf(actor).some(({ id }) => id === deviceId)) return false;
      await store.change((stored) => withoutDevice(stored, actor.id, deviceId));
      return true;
    },
    settle: async (actor, patch) => {
      if (patch.quiet && !isTimeZone(patch.quiet.timeZone))
        return { refused: 'bad-request', message: `"${patch.quiet.timeZone}" is not a time zone. Use a name such as Europe/Berlin.` };
      await store.change((stored) => {
        const subscriber = subscriberOf(stored, actor.id, actor.name);
        return withSubscriber(stored, actor.id, { ...subscriber, settings: settled(subscriber.settings, patch) });
      });
      return subscriberOf(store.now(), actor.id, actor.name).settings;
    },
    test: async (actor) => {
      await Promise.all(devicesOf(actor).map((device) => send(actor.id, device, TEST_MESSAGE)));
      return devicesOf(actor).map(shown);
    },
    close: () => {
      stop();
      return store.settled();
    },
  };
}

function isKey(target: PushTarget): boolean {
  try {
    return seal('', target).length > 0;
  } catch {
    return false;
  }
}

const shown = ({ id, device, since, problem }: StoredDevice): PushDevice => ({ id, device, since, ...(problem !== undefined && { problem }) });
