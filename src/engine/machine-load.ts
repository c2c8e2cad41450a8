import type { MachineNow } from '../protocol/http.ts';
import { liveCount, type World } from './engine-context.ts';
import { memoryUsed } from './slots/process-memory.ts';

/** How full this machine is. */
export function machineNow(world: World): MachineNow {
  const { maxLive, maxMemoryBytes } = world.deps.settings;
  return {
    live: liveCount(world),
    maxLive,
    memory: { usedBytes: memoryUsed(world), ...(maxMemoryBytes > 0 && { capBytes: maxMemoryBytes }) },
    freeDiskBytes: world.deps.host.stats().freeBytes,
    problems: [...world.deps.problems.current()],
  };
}
