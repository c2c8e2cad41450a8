import { STATE_VERSION } from '../domain/session/state.ts';
import { SYSTEM } from '../protocol/actor.ts';
import type { CommandId } from '../protocol/ids.ts';
import type { SessionBox } from './session-box.ts';
import type { World } from './world.ts';

export async function drainAll(world: World): Promise<void> {
  const isQuiet = (): boolean => [...world.boxes.values()].every((box) => box.isQuiet);
  do {
    await Promise.all([...world.boxes.values()].map((box) => box.drain()));
    await world.deps.host.drain();
    await new Promise((resolve) => setImmediate(resolve));
  } while (!isQuiet());
}

/** Ends this server's part. Agents go on unless told otherwise: their files hold what they print. */
export async function closeEngine(world: World, stopAgents: boolean): Promise<void> {
  if (world.closing) return;
  world.closing = true;
  if (stopAgents) for (const box of world.boxes.values()) stop(box);
  await drainAll(world);
  for (const box of world.boxes.values()) {
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

function keepSnapshot(box: SessionBox): void {
  const { journal, now } = box.world.deps;
  const { state } = box;
  journal.append({ session: state.id, after: state.seq, at: now().toISOString(), events: [], snapshot: { seq: state.seq, version: STATE_VERSION, state } });
}
