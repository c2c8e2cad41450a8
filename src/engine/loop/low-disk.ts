import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { World } from '../engine-context.ts';
import { GIVE, pump } from './effects.ts';

/** Below the reserve nothing new begins and what runs is interrupted, while there is still room to say so. */
export function diskChanged(world: World, low: boolean): void {
  if (world.diskLow === low) return;
  world.diskLow = low;
  const text = low
    ? 'The disk is nearly full. Agents were interrupted and no messages are taken until there is space again. Nothing was lost.'
    : 'There is space on the disk again.';
  world.subscribers.tellAll({ kind: 'notice', level: low ? 'error' : 'info', code: 'disk', text });
  for (const box of world.boxes.values()) {
    const { run } = box;
    if (low) interrupt(world, box.state.id);
    else if (run !== undefined) box.insist(GIVE, () => pump(box, run));
    if (!low) box.poke('there is space on the disk again');
  }
}

function interrupt(world: World, sessionId: Parameters<World['boxes']['get']>[0]): void {
  const box = world.boxes.get(sessionId);
  const commandId = `disk:${world.deps.newId()}` as CommandId;
  box?.command({ command: { type: 'turn.interrupt', commandId, sessionId }, node: world.deps.machine.node }, SYSTEM, '');
}
