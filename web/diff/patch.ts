export interface DiffLine {
  readonly kind: 'add' | 'del' | 'same' | 'hunk';
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** The lines of a unified diff. File headers are left out: the path stands above. */
export function parsePatch(patch: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let oldLine = 0;
  let newLine = 0;
  let inHunk = false;
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      inHunk = true;
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      lines.push({ kind: 'hunk', text: `@@ ${newLine} ${hunk[3] ?? ''}`.trimEnd() });
    } else if (inHunk && line.startsWith('+')) lines.push({ kind: 'add', text: line.slice(1), newLine: newLine++ });
    else if (inHunk && line.startsWith('-')) lines.push({ kind: 'del', text: line.slice(1), oldLine: oldLine++ });
    else if (inHunk && !line.startsWith('\\')) lines.push({ kind: 'same', text: line.slice(1), oldLine: oldLine++, newLine: newLine++ });
  }
  return lines;
}

export const additions = (text: string): readonly DiffLine[] => linesOf(text).map((line, at) => ({ kind: 'add', text: line, newLine: at + 1 }));

export const countOf = (lines: readonly DiffLine[], kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;

/** The lines of a text; the end of its last line is no line. */
export const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
