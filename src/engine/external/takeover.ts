import type { Holder } from '../../agents/port/adapter.ts';
import { conversationOf, lostDriver } from '../../domain/session/driver.ts';
import { type Identity, identify, isAlive, signal } from '../../host/identity.ts';
import type { Process } from '../../host/processes.ts';
import { until } from '../../host/tasks/until.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { isOurs, scanProcesses, waitForHolder } from './find-holders.ts';

/** From polite to certain. On SIGINT an agent ends its tools and writes its record. */
const STEPS = [
  ['SIGINT', 4000],
  ['SIGTERM', 3000],
  ['SIGKILL', 2000],
] as const;

/** Ends the other program that has the conversation open, and its children. Then the session continues. */
export async function takeOver(session: SessionActor, pid: number): Promise<void> {
  if (session.state.driver?.pid !== pid) return;
  const isCancelled = () => session.context.closing || session.state.deleted || session.state.driver?.pid !== pid;
  const holder = await waitForHolder(session, conversationOf(session.state), isCancelled);
  if (holder === 'off' || isCancelled()) return;
  if (holder?.pid !== pid) return session.note((draft) => lostDriver(draft, 'it had ended already'));
  if (isAncestor(await scanProcesses(), pid)) return refuse(session);
  if (await endHolder(session.context, holder)) return session.note((draft) => lostDriver(draft, 'it was taken over'));
  const text = `Process ${pid} has this conversation open and could not be stopped. Close it there.`;
  session.note((draft) => draft.emit({ type: 'notice.shown', level: 'error', text }));
}

function refuse(session: SessionActor): void {
  const text = 'The program that has this conversation open also started Signalbox, so Signalbox won’t stop it. Close the conversation there.';
  session.note((draft) => draft.emit({ type: 'notice.shown', level: 'error', text }));
}

/** Returns whether it is gone. Its tools run in their own process sessions and can be found only while it is alive, so they are collected before each step. */
async function endHolder(context: EngineContext, holder: Holder): Promise<boolean> {
  const who = identify(holder.pid);
  if (who?.start !== holder.start) return true;
  const family = new Map<number, Identity>();
  let isGone = false;
  for (const [name, limitMs] of STEPS) {
    const others = (await scanProcesses()).filter((one) => one.pid !== process.pid && !isOurs(context, one));
    addDescendants(family, others, holder.pid);
    signal(who, name);
    isGone = await until(() => !isAlive(who), limitMs);
    if (isGone) break;
  }
  if (isGone) await endFamily([...family.values()]);
  return isGone;
}

async function endFamily(family: readonly Identity[]): Promise<void> {
  for (const [name, limitMs] of STEPS.slice(1)) {
    const left = family.filter(isAlive);
    if (left.length === 0) return;
    for (const one of left) signal(one, name);
    await until(() => !left.some(isAlive), limitMs);
  }
}

/** Adds all descendants of `root`. */
function addDescendants(family: Map<number, Identity>, processes: readonly Process[], root: number): void {
  const descendants = new Set([root]);
  for (let count = 0; count !== descendants.size; ) {
    count = descendants.size;
    for (const one of processes) if (descendants.has(one.ppid)) descendants.add(one.pid);
  }
  descendants.delete(root);
  for (const pid of descendants) {
    const who = identify(pid);
    if (who !== undefined) family.set(pid, who);
  }
}

function isAncestor(processes: readonly Process[], pid: number): boolean {
  const parents = new Map(processes.map((one) => [one.pid, one.ppid]));
  for (let at: number | undefined = process.pid; at !== undefined && at > 1; at = parents.get(at)) if (at === pid) return true;
  return false;
}
