/** The value that a `share` of the values is below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const round = (value: number, digits = 2): string => value.toFixed(digits);

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
