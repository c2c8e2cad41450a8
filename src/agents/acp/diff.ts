import { isAbsolute, join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import { patchOfNewFile } from '../formats/whole-patch.ts';
import type { Diff } from './wire.ts';

/** Lines shown around what changed, as everywhere. */
const CONTEXT = 3;

/** The protocol gives a file before and after; we keep what changed. */
export function changeOf({ path, oldText, newText }: Diff, cwd: string): FileChange {
  const where = isAbsolute(path) ? path : join(cwd, path);
  // OpenCode 1.18.33 gives an empty text, not none, for a file that is new.
  if (!oldText) return { kind: 'create', path: where, patch: patchOfNewFile(newText) };
  return { kind: 'edit', path: where, patch: patchOf(linesOf(oldText), linesOf(newText)) };
}

/** One hunk from the first line that differs to the last. */
function patchOf(before: readonly string[], after: readonly string[]): string {
  const head = sameFor(before, after);
  const tail = Math.min(sameFor([...before].reverse(), [...after].reverse()), Math.min(before.length, after.length) - head);
  const from = Math.max(0, head - CONTEXT);
  const oldEnd = Math.min(before.length, before.length - tail + CONTEXT);
  const newEnd = Math.min(after.length, after.length - tail + CONTEXT);
  const lines = [
    ...before.slice(from, head).map((line) => ` ${line}`),
    ...before.slice(head, before.length - tail).map((line) => `-${line}`),
    ...after.slice(head, after.length - tail).map((line) => `+${line}`),
    ...before.slice(before.length - tail, oldEnd).map((line) => ` ${line}`),
  ];
  return `@@ -${rangeOf(from, oldEnd)} +${rangeOf(from, newEnd)} @@\n${lines.map((line) => `${line}\n`).join('')}`;
}

const rangeOf = (from: number, end: number): string => `${end === from ? from : from + 1},${end - from}`;

function sameFor(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((line, index) => line !== other[index]);
  return at < 0 ? one.length : at;
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
