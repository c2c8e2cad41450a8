import type { World } from '../engine-context.ts';

/** What all agents have together. One that was just started and not measured yet counts as much as the others do on average. */
export function memoryUsed(world: World): number {
  const live = [...world.boxes.values()].filter((box) => box.state.run.phase !== 'none');
  const measured = live.flatMap((box) => box.run?.rssBytes ?? []);
  const sum = measured.reduce((total, bytes) => total + bytes, 0);
  return measured.length === 0 ? 0 : Math.round((sum / measured.length) * live.length);
}

export function isMemoryFull(world: World): boolean {
  const cap = world.deps.settings.maxMemoryBytes;
  return cap > 0 && memoryUsed(world) > cap;
}

export const bytesInWords = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;
