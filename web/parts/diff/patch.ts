export interface DiffLine {
  /** `end`: the line before has no newline at its end, so it joins with what follows. */
  readonly kind: 'add' | 'del' | 'same' | 'hunk' | 'end';
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
export const NO_NEWLINE: DiffLine = { kind: 'end', text: 'No newline at end of file' };

/** The lines of a unified diff, without file headers: the path is shown above. */
export function parsePatch(patch: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let oldLine = 0;
  let newLine = 0;
  let inHunk = false;
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      const isPlaced = isNumbered(hunk[1], hunk[2]) && isNumbered(hunk[3], hunk[4]);
      inHunk = true;
      oldLine = isPlaced ? Number(hunk[1]) : Number.NaN;
      newLine = isPlaced ? Number(hunk[3]) : Number.NaN;
      lines.push({ kind: 'hunk', text: isPlaced ? `@@ ${newLine} ${hunk[5] ?? ''}`.trimEnd() : '@@ line not reported' });
    } else if (inHunk && line.startsWith('+')) lines.push({ kind: 'add', text: line.slice(1), ...numbered('newLine', newLine++) });
    else if (inHunk && line.startsWith('-')) lines.push({ kind: 'del', text: line.slice(1), ...numbered('oldLine', oldLine++) });
    else if (inHunk && line.startsWith('\\')) lines.push(NO_NEWLINE);
    else if (inHunk) lines.push({ kind: 'same', text: line.slice(1), ...numbered('oldLine', oldLine++), ...numbered('newLine', newLine++) });
  }
  return lines;
}

/** A side that has lines but starts at 0 has no real numbers: only the text of the change is known. */
const isNumbered = (start: string | undefined, count = '1'): boolean => start !== '0' || count === '0';

const numbered = (side: 'oldLine' | 'newLine', line: number): Partial<DiffLine> => (Number.isNaN(line) ? {} : { [side]: line });

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'add', '-': 'del', ' ': 'same' };

/** Every line of a requested patch, including headers: they say which files it changes. */
export const fullPatch = (patch: string): readonly DiffLine[] =>
  patch.split('\n').map((line) => {
    const kind = KINDS[line.charAt(0)];
    return kind === undefined ? { kind: 'hunk', text: line } : { kind, text: line.slice(1) };
  });

export function additions(text: string): readonly DiffLine[] {
  const lines = linesOf(text).map((line, at): DiffLine => ({ kind: 'add', text: line, newLine: at + 1 }));
  return text === '' || text.endsWith('\n') ? lines : [...lines, NO_NEWLINE];
}

export const countOf = (lines: readonly DiffLine[], kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;

/** The lines of a text; the newline at its end does not start another line. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
