import type { Adapter, Holder } from '../../agents/port/adapter.ts';
import { conversationOf, foundDriver, lostDriver } from '../../domain/session/driver.ts';
import type { Driver } from '../../domain/session/state.ts';
import { performEffect } from '../loop/effects.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { driverOf, envOf, externalHolders, stillHolds } from './find-holders.ts';
import { FIND_HOLDERS } from './open-elsewhere.ts';

/** How often we check whether another program has opened or closed one of our conversations. */
const DRIVER_SWEEP_MS = 3_000;

/** Sweeps periodically, one sweep at a time. Returns a function that stops it. */
export function watchDrivers(context: EngineContext): () => void {
  let isSweeping = false;
  const sweep = async (): Promise<void> => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await sweepDrivers(context);
    } finally {
      isSweeping = false;
    }
  };
  const timer = context.deps.problems.every(FIND_HOLDERS, DRIVER_SWEEP_MS, sweep);
  timer.unref();
  return () => clearInterval(timer);
}

/** Reads the agents' registries once for all sessions. */
async function sweepDrivers(context: EngineContext): Promise<void> {
  let failure: unknown;
  for (const group of await byRegistry(context)) {
    try {
      await sweepGroup(context, group);
    } catch (error) {
      failure ??= error; // What is known stays; the next sweep may succeed.
    }
  }
  if (failure !== undefined) throw failure;
}

/** Sessions that share one registry. */
interface Group {
  readonly adapter: Adapter;
  readonly env: Readonly<Record<string, string>>;
  readonly sessions: SessionActor[];
}

async function byRegistry(context: EngineContext): Promise<readonly Group[]> {
  const groups = new Map<string, Group>();
  for (const session of [...context.sessions.values()]) {
    try {
      const group = await groupOf(session);
      context.deps.problems.worked(FIND_HOLDERS, session.state.id);
      if (group === undefined) continue;
      const key = `${group.adapter.id} ${group.adapter.registry?.folder(group.env)}`;
      if (!groups.has(key)) groups.set(key, group);
      groups.get(key)?.sessions.push(session);
    } catch (error) {
      context.deps.problems.failed(FIND_HOLDERS, error, session.state.id);
    }
  }
  return [...groups.values()];
}

async function groupOf(session: SessionActor): Promise<Group | undefined> {
  const adapter = session.knownAdapterOf();
  if (writtenBy(session) === null || adapter?.registry === undefined) return undefined;
  return { adapter, env: await envOf(session), sessions: [] };
}

const writtenBy = ({ context, state }: SessionActor): string | null => (context.closing || state.deleted || state.born === null ? null : conversationOf(state));

/** Sessions that changed while the registry was read are left to the next sweep: the answer may be older than the change. */
async function sweepGroup(context: EngineContext, { adapter, env, sessions }: Group): Promise<void> {
  const before = sessions.map((session) => ({ session, conversation: writtenBy(session), driver: session.state.driver }));
  const holders = await externalHolders(context, adapter, env);
  if (env === context.deps.envFor(adapter.id)) context.openElsewhere.saw(adapter, holders);
  for (const { session, conversation, driver } of before) {
    const isUnchanged = conversation !== null && writtenBy(session) === conversation && isSame(session.state.driver, driver);
    const holder = holders.find((one) => one.agentSessionId === conversation);
    if (isUnchanged && (holder === undefined || stillHolds(context, holder)))
      context.deps.problems.during('note which other programs have a conversation open', () => settle(session, holder), session.state.id);
  }
}

const isSame = (one: Driver | null, other: Driver | null): boolean => one?.pid === other?.pid && one?.isLeaving === other?.isLeaving;

function settle(session: SessionActor, holder: Holder | undefined): void {
  const { driver } = session.state;
  if (holder === undefined) {
    if (driver?.isLeaving === true && session.isQuiet) performEffect(session, { type: 'take-over', pid: driver.pid });
    else if (driver !== null && driver.isLeaving !== true) loseDriver(session);
    return;
  }
  const isKnown = driver?.pid === holder.pid && session.state.run.phase !== 'ready';
  if (!isKnown) session.note((draft) => foundDriver(draft, driverOf(holder)));
}

/** Also merges what the other program did last. */
function loseDriver(session: SessionActor): void {
  const conversation = conversationOf(session.state);
  session.note((draft) => lostDriver(draft, 'it has ended'));
  if (conversation !== null) session.mergeSoon(conversation);
}

/** Completes takeovers that were interrupted when the last server died. */
export function resumeTakeovers(context: EngineContext): void {
  for (const session of context.sessions.values()) {
    const { driver, deleted } = session.state;
    if (driver?.isLeaving === true && !deleted) performEffect(session, { type: 'take-over', pid: driver.pid });
  }
}
