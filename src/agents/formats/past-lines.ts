import type { KeptObservation } from '../../protocol/observation.ts';
import { itemOf } from './item-id.ts';

/** A last line without its newline is still being written, or was cut by a kill: when it is no whole line, it never came in. */
export function wholeLines(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return text.endsWith('\n') || lines.at(-1)?.trimEnd().endsWith('}') ? lines : lines.slice(0, -1);
}

export function* linesUp(text: string): Generator<string> {
  for (let end = text.length; end > 0; ) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    if (from < end) yield text.slice(from, end);
    end = from - 1;
  }
}

/** A call that was cut off has no result, and nothing may stay open in what is past. */
export function closings(told: readonly KeptObservation[]): readonly KeptObservation[] {
  const closed = new Set(told.flatMap((one) => (one.type === 'tool.completed' ? [one.toolUseId] : [])));
  return told.flatMap((one) => {
    if (one.type !== 'tool.started' || closed.has(one.toolUseId)) return [];
    const { toolUseId } = one;
    const identity = { itemId: itemOf(`${toolUseId}:result`), parentItemId: itemOf(toolUseId), toolUseId };
    return [{ type: 'tool.completed', ...identity, output: '', isError: true, closedBy: 'the record has no result of it' } as const];
  });
}

/** The summary stands right behind the compaction that made it. */
export function summaryIn(told: readonly KeptObservation[]): string | undefined {
  const summary = told[told.findLastIndex((one) => one.type === 'context.compacted') + 1];
  return told.some((one) => one.type === 'context.compacted') && summary?.type === 'user.message' ? summary.text : undefined;
}
