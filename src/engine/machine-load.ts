import type { MachineNow } from '../protocol/http.ts';
import { type EngineContext, liveCount } from './loop/engine-context.ts';
import { memoryUsed } from './slots/process-memory.ts';

/** How full this machine is. */
export function machineLoad(context: EngineContext): MachineNow {
  const { maxLive, maxMemoryBytes } = context.deps.settings;
  return {
    live: liveCount(context),
    maxLive,
    memory: { usedBytes: memoryUsed(context), ...(maxMemoryBytes > 0 && { capBytes: maxMemoryBytes }) },
    freeDiskBytes: context.deps.host.stats().freeBytes,
    problems: [...context.deps.problems.current()],
  };
}
