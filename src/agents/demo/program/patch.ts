const CONTEXT_LINES = 3;

/** The unified-diff hunk between two texts that differ in one place; empty when they are the same. */
export function patchBetween(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  const head = countWhile(shorter, (n) => old[n] === fresh[n]);
  const tail = countWhile(shorter - head, (n) => old[old.length - 1 - n] === fresh[fresh.length - 1 - n]);
  if (head === old.length && head === fresh.length) return '';
  const start = Math.max(0, head - CONTEXT_LINES);
  const lines = [
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT_LINES).map((line) => ` ${line}`),
  ];
  return `@@ -${range(start, lines, '+')} +${range(start, lines, '-')} @@\n${lines.join('\n')}\n`;
}

/** `start,count` of one side; the other side's lines do not count. A side without lines begins at 0. */
function range(start: number, lines: readonly string[], otherSide: string): string {
  const count = lines.filter((line) => !line.startsWith(otherSide)).length;
  return `${count === 0 ? start : start + 1},${count}`;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function countWhile(limit: number, holds: (n: number) => boolean): number {
  let n = 0;
  while (n < limit && holds(n)) n += 1;
  return n;
}
