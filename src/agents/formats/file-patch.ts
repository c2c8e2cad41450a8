/** A new file as one hunk that adds every line. */
export const patchOfNewFile = (content: string): string => {
  const lines = linesOf(content);
  return `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
};

/** A deleted file as one hunk that removes every line. */
export const patchOfDeletedFile = (content: string): string => {
  const lines = linesOf(content);
  return `@@ -1,${lines.length} +0,0 @@\n${lines.map((line) => `-${line}\n`).join('')}`;
};

const CONTEXT_LINES = 3;

/** One hunk from the first to the last line that differs; empty when the texts are equal. */
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

/**
 * A replacement whose place in the file is not known: one hunk that starts at line 0 on both sides. No real hunk with lines starts there,
 * so nobody takes the numbers for real ones.
 */
export function patchAtUnknownPlace(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const lines = [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
  return `@@ -0,${old.length} +0,${fresh.length} @@\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** `start,count` of one side, without the other side's lines. An empty side starts at 0. */
function range(start: number, lines: readonly string[], otherSide: string): string {
  const count = lines.filter((line) => !line.startsWith(otherSide)).length;
  return `${count === 0 ? start : start + 1},${count}`;
}

const linesOf = (content: string): readonly string[] => (content === '' ? [] : content.replace(/\n$/, '').split('\n'));

function countWhile(limit: number, holds: (n: number) => boolean): number {
  let n = 0;
  while (n < limit && holds(n)) n += 1;
  return n;
}
