import type { RunRow } from './journal.ts';

export type RunReconciliation =
  /** The file contains everything that was folded: follow it from there. */
  | { readonly kind: 'follow'; readonly fromByte: number }
  /**
   * A power loss removed bytes that were already folded. Their events are kept: they were printed and seen. What the agent printed
   * between `fileSize` and `outByte` can no longer be told apart from what it printed later, so reading continues at the end of the file,
   * with a fresh fold of what is left.
   */
  | { readonly kind: 'shorter'; readonly fileSize: number; readonly missingBytes: number };

/** Compares the size of out.ndjson with a run's journaled position in it. */
export function reconcileRun(row: Pick<RunRow, 'outByte'>, fileSize: number): RunReconciliation {
  if (fileSize >= row.outByte) return { kind: 'follow', fromByte: row.outByte };
  return { kind: 'shorter', fileSize, missingBytes: row.outByte - fileSize };
}
