import type { Adapter, Holder } from '../../agents/adapter.ts';
import { conversationOf, foundDriver, lostDriver } from '../../domain/session/driver.ts';
import type { Driver } from '../../domain/session/state.ts';
import type { World } from '../engine-context.ts';
import { performEffect } from '../loop/effects.ts';
import type { SessionBox } from '../loop/session-actor.ts';
import { driverOf, envOf, foreignHolders, stillHolds } from './external-drivers.ts';
import { WHO_HOLDS } from './open-elsewhere.ts';

/** How often it is looked whether another program has taken up, or let go of, a conversation of ours. */
const DRIVER_SWEEP_MS = 3_000;

/** Looks now and then until it is stopped, never twice at a time. */
export function watchDrivers(world: World): () => void {
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await sweepDrivers(world);
    } finally {
      isLooking = false;
    }
  };
  const timer = world.deps.problems.every(WHO_HOLDS, DRIVER_SWEEP_MS, look);
  timer.unref();
  return () => clearInterval(timer);
}

/** One look at the agents' registries for all sessions. */
async function sweepDrivers(world: World): Promise<void> {
  let failure: unknown;
  for (const group of await byRegistry(world)) {
    try {
      await lookAt(world, group);
    } catch (error) {
      failure ??= error; // What was known stays; the next look may tell.
    }
  }
  if (failure !== undefined) throw failure;
}

/** Sessions whose agents have one registry. */
interface Group {
  readonly adapter: Adapter;
  readonly env: Readonly<Record<string, string>>;
  readonly boxes: SessionBox[];
}

async function byRegistry(world: World): Promise<readonly Group[]> {
  const groups = new Map<string, Group>();
  for (const box of [...world.boxes.values()]) {
    try {
      const group = await groupOf(box);
      world.deps.problems.worked(WHO_HOLDS, box.state.id);
      if (group === undefined) continue;
      const key = `${group.adapter.id} ${group.adapter.registry?.folder(group.env)}`;
      if (!groups.has(key)) groups.set(key, group);
      groups.get(key)?.boxes.push(box);
    } catch (error) {
      world.deps.problems.failed(WHO_HOLDS, error, box.state.id);
    }
  }
  return [...groups.values()];
}

async function groupOf(box: SessionBox): Promise<Group | undefined> {
  const adapter = box.knownAdapterOf();
  if (writtenBy(box) === null || adapter?.registry === undefined) return undefined;
  return { adapter, env: await envOf(box), boxes: [] };
}

const writtenBy = ({ world, state }: SessionBox): string | null => (world.closing || state.deleted || state.born === null ? null : conversationOf(state));

/** What changed while it was looked is left to the next look: the answer may be older than the change. */
async function lookAt(world: World, { adapter, env, boxes }: Group): Promise<void> {
  const before = boxes.map((box) => ({ box, conversation: writtenBy(box), driver: box.state.driver }));
  const holders = await foreignHolders(world, adapter, env);
  if (env === world.deps.envFor(adapter.id)) world.held.saw(adapter, holders);
  for (const { box, conversation, driver } of before) {
    const isAsBefore = conversation !== null && writtenBy(box) === conversation && isSame(box.state.driver, driver);
    const holder = holders.find((one) => one.agentSessionId === conversation);
    if (isAsBefore && (holder === undefined || stillHolds(world, holder)))
      world.deps.problems.during('note which other programs have a conversation open', () => settle(box, holder), box.state.id);
  }
}

const isSame = (one: Driver | null, other: Driver | null): boolean => one?.pid === other?.pid && one?.isLeaving === other?.isLeaving;

function settle(box: SessionBox, holder: Holder | undefined): void {
  const { driver } = box.state;
  if (holder === undefined) {
    if (driver?.isLeaving === true && box.isQuiet) performEffect(box, { type: 'take-over', pid: driver.pid });
    else if (driver !== null && driver.isLeaving !== true) loseDriver(box);
    return;
  }
  const isKnown = driver?.pid === holder.pid && box.state.run.phase !== 'ready';
  if (!isKnown) box.note((draft) => foundDriver(draft, driverOf(holder)));
}

/** What it did last is taken in. */
function loseDriver(box: SessionBox): void {
  const conversation = conversationOf(box.state);
  box.note((draft) => lostDriver(draft, 'it has ended'));
  if (conversation !== null) box.mergeSoon(conversation);
}

/** A takeover that a server's death cut short is carried out by the next one. */
export function resumeTakeovers(world: World): void {
  for (const box of world.boxes.values()) {
    const { driver, deleted } = box.state;
    if (driver?.isLeaving === true && !deleted) performEffect(box, { type: 'take-over', pid: driver.pid });
  }
}
