import { type Hunk, oldCount, type PatchLine, printPatch } from '../../../src/domain/changes/patch.ts';

/** The patch between two texts that differ in one place, as an agent's tool would report it. */
export function patchBetween(before: readonly string[], after: readonly string[]): string {
  const head = commonLength(before, after);
  const tail = Math.min(commonLength([...before].reverse(), [...after].reverse()), Math.min(before.length, after.length) - head);
  if (head === before.length && head === after.length) return '';
  const from = Math.max(0, head - 3);
  const signed = (sign: PatchLine['sign'], lines: readonly string[]): PatchLine[] => lines.map((text) => ({ sign, text }));
  const lines = [
    ...signed(' ', before.slice(from, head)),
    ...signed('-', before.slice(head, before.length - tail)),
    ...signed('+', after.slice(head, after.length - tail)),
    ...signed(' ', before.slice(before.length - tail, before.length - tail + 3)),
  ];
  return printPatch([{ old: from, fresh: from, lines }]);
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((line, index) => line !== other[index]);
  return at < 0 ? Math.min(one.length, other.length) : at;
}

/** The text after the patch; throws if the patch doesn't match. */
export function applied(before: readonly string[], hunks: readonly Hunk[]): readonly string[] {
  const after: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    after.push(...before.slice(at, hunk.old));
    if (after.length !== hunk.fresh) throw new Error(`a hunk says that it starts after line ${hunk.fresh}, but it starts after ${after.length}`);
    const found = before.slice(hunk.old, hunk.old + oldCount(hunk));
    const expected = hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
    if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`expected ${expected}, found ${found}`);
    after.push(...hunk.lines.filter(({ sign }) => sign !== '-').map(({ text }) => text));
    at = hunk.old + oldCount(hunk);
  }
  return [...after, ...before.slice(at)];
}
