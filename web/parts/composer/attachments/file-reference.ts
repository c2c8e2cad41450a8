import type { ContextItem } from '../../../../src/protocol/command.ts';

/** `path`, `path:12` or `path:12-30`; undefined for anything else. */
export function parseFileReference(typed: string): ContextItem | undefined {
  const [, path = '', from, to] = /^(.*?)(?::(\d+)(?:[-–](\d+))?)?$/.exec(typed.trim()) ?? [];
  if (path === '') return undefined;
  if (from === undefined) return { path };
  const [fromLine, toLine] = [Number(from), Number(to ?? from)];
  return fromLine >= 1 && toLine >= fromLine ? { path, fromLine, toLine } : undefined;
}
