import { STATE_VERSION } from '../domain/session/state.ts';
import { SYSTEM } from '../protocol/actor.ts';
import type { CommandId } from '../protocol/ids.ts';
import type { World } from './engine-context.ts';
import type { SessionBox } from './loop/session-actor.ts';

/** Resolves when nothing is left to do and nothing is left to read. */
export async function drainAll(world: World): Promise<void> {
  do {
    await world.deps.host.drain();
    await drainEffects(world);
  } while (!isQuiet(world));
}

/** Resolves when everything that was decided has been carried out. */
async function drainEffects(world: World): Promise<void> {
  do {
    await Promise.all([...world.boxes.values()].map((box) => box.drain()));
    await new Promise((resolve) => setImmediate(resolve));
  } while (!isQuiet(world));
}

const isQuiet = (world: World): boolean => [...world.boxes.values()].every((box) => box.isQuiet);

/** Ends this server's part. Agents go on unless told otherwise: their files hold what they print. */
export async function closeEngine(world: World, stopAgents: boolean): Promise<void> {
  if (world.closing) return;
  world.closing = true;
  if (stopAgents) for (const box of world.boxes.values()) stop(box);
  await drainEffects(world);
  for (const box of world.boxes.values()) {
    box.stopWatchingTime();
    box.run?.close();
    if (box.state.seq > box.snapshotSeq && !box.state.deleted) keepSnapshot(box);
  }
  await world.deps.journal.sync();
}

function stop(box: SessionBox): void {
  if (box.state.run.phase === 'none') return;
  const { deps } = box.world;
  const commandId = `shutdown:${deps.newId()}` as CommandId;
  box.command({ command: { type: 'session.stop', commandId, sessionId: box.state.id }, node: deps.machine.node }, SYSTEM, '');
}

export function keepSnapshot(box: SessionBox): void {
  const { journal, now } = box.world.deps;
  const { state } = box;
  journal.append({ session: state.id, after: state.seq, at: now().toISOString(), events: [], snapshot: { seq: state.seq, version: STATE_VERSION, state } });
  box.snapshotSeq = state.seq;
}
