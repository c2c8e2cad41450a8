import { type DiffLine, NO_NEWLINE } from './patch.ts';

/** Beyond this many pairs of lines, a finer comparison would delay rendering noticeably. */
const PAIRS = 1_000_000;

/** Added, deleted and unchanged lines, keeping the longest common sequence. Lines with different ends are different. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const endsAlike = before.endsWith('\n') === after.endsWith('\n') || before === '';
  const [old, updated] = endsAlike ? [linesWithNewlines(before), linesWithNewlines(after)] : [linesWithEnds(before), linesWithEnds(after)];
  const head = commonLength(old, updated);
  const tail = commonLength(old.slice(head).reverse(), updated.slice(head).reverse());
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  const lines = [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), updated.slice(head, updated.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
  return [...lines.flatMap(withEnd), ...(after === '' && !endsAlike ? [LINE_END_TOO] : [])];
}

/** The deleted text may end in the middle of a line, which then joins the next one. */
const LINE_END_TOO: DiffLine = { kind: 'end', text: 'including the line end' };

/** Lines with their ends. */
const linesWithEnds = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/));
const linesWithNewlines = (text: string): readonly string[] => linesWithEnds(text).map((line) => (line.endsWith('\n') ? line : `${line}\n`));

const withEnd = (line: DiffLine): readonly DiffLine[] => (line.text.endsWith('\n') ? [{ ...line, text: line.text.slice(0, -1) }] : [line, NO_NEWLINE]);

function commonLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((line, at) => line !== b[at]);
  return differs < 0 ? Math.min(a.length, b.length) : differs;
}

function middle(old: readonly string[], updated: readonly string[]): readonly DiffLine[] {
  if (old.length * updated.length > PAIRS) return [...old.map(deletedLine), ...updated.map(addedLine)];
  const common = commonTable(old, updated);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < updated.length) {
    if (old[i] === updated[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' });
      i++;
      j++;
    } else if (at(common, i + 1, j) >= at(common, i, j + 1)) lines.push(deletedLine(old[i++] ?? ''));
    else lines.push(addedLine(updated[j++] ?? ''));
  }
  return [...lines, ...old.slice(i).map(deletedLine), ...updated.slice(j).map(addedLine)];
}

const deletedLine = (text: string): DiffLine => ({ kind: 'del', text });
const addedLine = (text: string): DiffLine => ({ kind: 'add', text });

type Table = readonly Uint32Array[];
const at = (table: Table, i: number, j: number): number => table[i]?.[j] ?? 0;

/** How many lines the parts from (i, j) on have in common. */
function commonTable(old: readonly string[], updated: readonly string[]): Table {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(updated.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = table[i];
    for (let j = updated.length - 1; row !== undefined && j >= 0; j--) {
      row[j] = old[i] === updated[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}
