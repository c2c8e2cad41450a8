/** A span of time in milliseconds; without `to` it is not over. */
export interface TimeSpan {
  readonly from: number;
  readonly to?: number | undefined;
}

/** How long somebody worked between two times: waiting for a person does not count, and waits that overlap count once. */
export function workMs({ from, to }: { readonly from: number; readonly to: number }, waits: Iterable<TimeSpan>): number {
  const sorted = [...waits].sort((a, b) => a.from - b.from);
  let waited = 0;
  let counted = from;
  for (const wait of sorted) {
    const end = Math.min(to, wait.to ?? to);
    waited += Math.max(0, end - Math.max(counted, wait.from));
    counted = Math.max(counted, end);
  }
  return Math.max(0, to - from - waited);
}
