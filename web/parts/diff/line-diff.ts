import { type DiffLine, NO_NEWLINE } from './patch.ts';

/** Beyond this many pairs of lines, a finer comparison would delay rendering noticeably. */
const PAIRS = 1_000_000;

/** Added, deleted and unchanged lines, keeping the longest common sequence. Lines with different ends are different. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const endsAlike = before.endsWith('\n') === after.endsWith('\n') || before === '';
  const [old, young] = endsAlike ? [endedLines(before), endedLines(after)] : [keptLines(before), keptLines(after)];
  const head = commonLength(old, young);
  const tail = commonLength(old.slice(head).reverse(), young.slice(head).reverse());
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  const lines = [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), young.slice(head, young.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
  return [...lines.flatMap(withEnd), ...(after === '' && !endsAlike ? [LINE_END_TOO] : [])];
}

/** The deleted text may end in the middle of a line, which then joins the next one. */
const LINE_END_TOO: DiffLine = { kind: 'end', text: 'including the line end' };

/** Lines with their ends. */
const keptLines = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/));
const endedLines = (text: string): readonly string[] => keptLines(text).map((line) => (line.endsWith('\n') ? line : `${line}\n`));

const withEnd = (line: DiffLine): readonly DiffLine[] => (line.text.endsWith('\n') ? [{ ...line, text: line.text.slice(0, -1) }] : [line, NO_NEWLINE]);

function commonLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((line, at) => line !== b[at]);
  return differs < 0 ? Math.min(a.length, b.length) : differs;
}

function middle(old: readonly string[], young: readonly string[]): readonly DiffLine[] {
  if (old.length * young.length > PAIRS) return [...old.map(gone), ...young.map(come)];
  const common = commonTable(old, young);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < young.length) {
    if (old[i] === young[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' });
      i++;
      j++;
    } else if (at(common, i + 1, j) >= at(common, i, j + 1)) lines.push(gone(old[i++] ?? ''));
    else lines.push(come(young[j++] ?? ''));
  }
  return [...lines, ...old.slice(i).map(gone), ...young.slice(j).map(come)];
}

const gone = (text: string): DiffLine => ({ kind: 'del', text });
const come = (text: string): DiffLine => ({ kind: 'add', text });

type Table = readonly Uint32Array[];
const at = (table: Table, i: number, j: number): number => table[i]?.[j] ?? 0;

/** How many lines the rests from (i, j) on have in common. */
function commonTable(old: readonly string[], young: readonly string[]): Table {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(young.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = table[i];
    for (let j = young.length - 1; row !== undefined && j >= 0; j--) {
      row[j] = old[i] === young[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}
