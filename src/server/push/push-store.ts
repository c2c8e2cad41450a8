import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { PushDevice, PushSettings, PushTarget } from '../../protocol/api/outside/push.ts';
import { writeFileAtomically } from '../shared/write-file-atomically.ts';

const StoredDevice = z.object({
  ...PushDevice.shape,
  ...PushTarget.shape,
  /** SHA-256 of the token it subscribed with: when the owner's token changes, browsers of the old one get nothing. */
  by: z.string(),
});
export type StoredDevice = z.infer<typeof StoredDevice>;

const Subscriber = z.object({ name: z.string(), settings: PushSettings, devices: z.array(StoredDevice) });
export type Subscriber = z.infer<typeof Subscriber>;

const Stored = z.object({
  /** By token id. */
  people: z.record(z.string(), Subscriber),
  /** Pending requests that were already sent, so that a restarted server doesn't send one twice. */
  told: z.array(z.string()),
});
export type Stored = z.infer<typeof Stored>;

export const DEFAULTS: PushSettings = { waiting: true, finished: true, failed: true, of: 'mine', muted: [] };

/** Who gets which notifications in which browsers; one file in the data folder that only its owner can read. */
export interface PushStore {
  now(): Stored;
  /** Resolves when the change would survive a power loss. Changes are applied in order. */
  change(step: (stored: Stored) => Stored): Promise<void>;
  /** Resolves when every change so far is on disk or has failed. */
  settled(): Promise<void>;
}

export function openPushStore(dataDir: string): PushStore {
  const file = join(dataDir, 'push.json');
  let stored = read(file);
  let last: Promise<unknown> = Promise.resolve();
  return {
    now: () => stored,
    change: (step) => {
      stored = step(stored);
      const text = JSON.stringify(stored);
      const written = last.then(() => writeFileAtomically(file, text));
      last = written.catch(() => undefined);
      return written;
    },
    settled: async () => void (await last),
  };
}

export const subscriberOf = (stored: Stored, id: string, name: string): Subscriber => stored.people[id] ?? { name, settings: DEFAULTS, devices: [] };

export const withSubscriber = (stored: Stored, id: string, subscriber: Subscriber): Stored => ({ ...stored, people: { ...stored.people, [id]: subscriber } });

/** The id is a hash of the address, so a browser can recognize itself. */
export const newDevice = (device: string, target: PushTarget, since: string, by: string): StoredDevice => ({
  id: createHash('sha256').update(target.endpoint).digest('hex'),
  device,
  since,
  by,
  ...target,
});

function read(file: string): Stored {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return { people: {}, told: [] };
    throw new Error(`${file} is damaged. Move it away and turn notifications on again on every device.`, { cause });
  }
}
