import { type Stored, type StoredDevice, subscriberOf, withSubscriber } from './push-store.ts';

export function withoutDevice(stored: Stored, personId: string, deviceId: string): Stored {
  const subscriber = stored.people[personId];
  if (subscriber === undefined) return stored;
  return withSubscriber(stored, personId, { ...subscriber, devices: subscriber.devices.filter(({ id }) => id !== deviceId) });
}

export function withProblem(stored: Stored, personId: string, deviceId: string, problem: string | undefined): Stored {
  const subscriber = stored.people[personId];
  if (subscriber === undefined) return stored;
  const devices = subscriber.devices.map(({ problem: before, ...device }) => {
    const now = device.id === deviceId ? problem : before;
    return { ...device, ...(now !== undefined && { problem: now }) };
  });
  return withSubscriber(stored, personId, { ...subscriber, devices });
}

const withoutEndpoint = (stored: Stored, endpoint: string): Stored => ({
  ...stored,
  people: Object.fromEntries(
    Object.entries(stored.people).map(([id, person]) => [id, { ...person, devices: person.devices.filter((device) => device.endpoint !== endpoint) }]),
  ),
});

/** A browser belongs to the person who subscribed with it last, so it never shows somebody else's news. */
export function withDevice(stored: Stored, personId: string, name: string, device: StoredDevice): Stored {
  const cleared = withoutEndpoint(stored, device.endpoint);
  const subscriber = subscriberOf(cleared, personId, name);
  return withSubscriber(cleared, personId, { ...subscriber, name, devices: [...subscriber.devices, device] });
}
