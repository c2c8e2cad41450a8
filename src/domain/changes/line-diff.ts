/** A line of two texts compared: only in the first, only in the second, or in both. */
export interface ComparedLine {
  readonly kind: 'add' | 'del' | 'same';
  readonly text: string;
}

/** Beyond this many pairs of lines, a finer comparison would take noticeably long. */
const PAIRS = 1_000_000;

/** Added, deleted and unchanged lines, keeping the longest common sequence. */
export function compareLines(old: readonly string[], updated: readonly string[]): readonly ComparedLine[] {
  const head = commonLength(old, updated);
  const tail = commonLength(old.slice(head).reverse(), updated.slice(head).reverse());
  const same = (text: string): ComparedLine => ({ kind: 'same', text });
  return [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), updated.slice(head, updated.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((line, at) => line !== b[at]);
  return differs < 0 ? Math.min(a.length, b.length) : differs;
}

function middle(old: readonly string[], updated: readonly string[]): readonly ComparedLine[] {
  if (old.length * updated.length > PAIRS) return [...old.map(deletedLine), ...updated.map(addedLine)];
  const common = commonTable(old, updated);
  const lines: ComparedLine[] = [];
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

const deletedLine = (text: string): ComparedLine => ({ kind: 'del', text });
const addedLine = (text: string): ComparedLine => ({ kind: 'add', text });

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
