import type { RunRow } from './journal.ts';

export type RunReconciliation =
  /** The file holds everything that was folded: follow it from there. */
  | { readonly kind: 'follow'; readonly fromByte: number }
  /**
   * A power loss took bytes that were folded already. Their events are kept: they were printed and seen. What the agent printed
   * between `fileSize` and `outByte` and later can no longer be told apart, so reading continues at the end of the file,
   * with a fresh fold of what is left.
   */
  | { readonly kind: 'shorter'; readonly fileSize: number; readonly missingBytes: number };

/** What the size of out.ndjson says about a run's journaled place in it. */
export function reconcileRun(row: Pick<RunRow, 'outByte'>, fileSize: number): RunReconciliation {
  if (fileSize >= row.outByte) return { kind: 'follow', fromByte: row.outByte };
  return { kind: 'shorter', fileSize, missingBytes: row.outByte - fileSize };
}
