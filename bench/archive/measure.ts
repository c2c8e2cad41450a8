/** Runs something this many times and returns the times in milliseconds, sorted. */
export async function times(count: number, once: (index: number) => Promise<unknown>): Promise<readonly number[]> {
  const measured: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const since = performance.now();
    await once(index);
    measured.push(performance.now() - since);
  }
  return measured.sort((a, b) => a - b);
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`;
export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
