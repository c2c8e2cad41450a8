/** One line of the results: the target, the measured value, and whether it meets the target. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly floor: string;
  readonly target: string;
  /** Undefined for a line without a verdict. */
  readonly holds?: boolean;
}

export function printTable(rows: readonly Row[]): void {
  const cells = [
    ['', 'Signalbox', 'floor', 'target', 'met'],
    ...rows.map(({ what, ours, floor, target, holds }) => [what, ours, floor, target, holds === undefined ? '' : holds ? 'yes' : 'NO']),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const print = (row: readonly string[]): string => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  console.log([print(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(print)].join('\n'));
}
