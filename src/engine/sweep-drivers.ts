import type { Holder } from '../agents/adapter.ts';
import { conversationOf, foundDriver, lostDriver } from '../domain/session/driver.ts';
import { driverOf, envOf, foreignHolders } from './drivers.ts';
import { performEffect } from './effects.ts';
import type { SessionBox } from './session-box.ts';
import type { World } from './world.ts';

/** How often it is looked whether another program has taken up, or let go of, a conversation of ours. */
export const DRIVER_SWEEP_MS = 3_000;

/** One look at the agents' registries for all sessions. */
export async function sweepDrivers(world: World): Promise<void> {
  const looked = new Map<string, Promise<readonly Holder[]>>();
  for (const box of [...world.boxes.values()]) {
    const conversation = world.closing || box.state.deleted || box.state.born === null ? null : conversationOf(box.state);
    const { registry } = conversation === null ? {} : box.adapter;
    if (conversation === null || registry === undefined) continue;
    const env = await envOf(box);
    const key = `${box.adapter.id} ${registry.folder(env)}`;
    const holders = looked.get(key) ?? foreignHolders(world, box.adapter, env);
    looked.set(key, holders);
    settle(
      box,
      (await holders).find((holder) => holder.agentSessionId === conversation),
    );
  }
}

function settle(box: SessionBox, holder: Holder | undefined): void {
  const { driver } = box.state;
  if (box.world.closing || box.state.deleted) return;
  if (holder === undefined) {
    if (driver?.isLeaving === true && box.isQuiet) performEffect(box, { type: 'take-over', pid: driver.pid });
    else if (driver !== null && driver.isLeaving !== true) box.note((draft) => lostDriver(draft, 'it has ended'));
    return;
  }
  const isKnown = driver?.pid === holder.pid && box.state.run.phase !== 'ready';
  if (!isKnown) box.note((draft) => foundDriver(draft, driverOf(holder)));
}

/** A takeover that a server's death cut short is carried out by the next one. */
export function resumeTakeovers(world: World): void {
  for (const box of world.boxes.values()) {
    const { driver, deleted } = box.state;
    if (driver?.isLeaving === true && !deleted) performEffect(box, { type: 'take-over', pid: driver.pid });
  }
}
