import type { KeptObservation } from '../../protocol/observation.ts';
import { resultOf } from './item-id.ts';

/** A last line without a newline is still being written, or was cut by a kill: unless it is complete, it doesn't count. */
export function completeLines(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return text.endsWith('\n') || lines.at(-1)?.trimEnd().endsWith('}') ? lines : lines.slice(0, -1);
}

export function* linesFromEnd(text: string): Generator<string> {
  for (let end = text.length; end > 0; ) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    if (from < end) yield text.slice(from, end);
    end = from - 1;
  }
}

/** A call that was cut off has no result; in a finished record nothing may stay open. */
export function missingResults(observed: readonly KeptObservation[]): readonly KeptObservation[] {
  const closed = new Set(observed.flatMap((one) => (one.type === 'tool.completed' ? [one.toolUseId] : [])));
  return observed.flatMap((one) => {
    if (one.type !== 'tool.started' || closed.has(one.toolUseId)) return [];
    return [{ type: 'tool.completed', ...resultOf(one.toolUseId), output: '', isError: true, closedBy: 'the record has no result for this call' } as const];
  });
}

/** The summary directly follows its compaction. */
export function summaryIn(observed: readonly KeptObservation[]): string | undefined {
  const summary = observed[observed.findLastIndex((one) => one.type === 'context.compacted') + 1];
  return observed.some((one) => one.type === 'context.compacted') && summary?.type === 'user.message' ? summary.text : undefined;
}
