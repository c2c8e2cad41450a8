/** A line of a hunk. `noEnd`: the file ends with it, without a newline. */
export interface PatchLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  readonly noEnd?: boolean;
}

/** `old` and `fresh` count the lines before it, on each side. */
export interface Hunk {
  readonly old: number;
  readonly fresh: number;
  readonly lines: readonly PatchLine[];
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NO_END = '\\ No newline at end of file';

/** The hunks of a unified diff, or undefined if their numbers do not match their lines: then they cannot be trusted. */
export function readPatch(patch: string): readonly Hunk[] | undefined {
  const hunks: Hunk[] = [];
  let shift = 0;
  for (const text of hunkTexts(patch)) {
    const hunk = readHunk(text);
    if (hunk === undefined || hunk.fresh - hunk.old !== shift || hunk.old < endOf(hunks.at(-1))) return undefined;
    hunks.push(hunk);
    shift += freshCount(hunk) - oldCount(hunk);
  }
  return hunks;
}

/** The texts of its hunks; lines before the first (the file names) are skipped. */
export function hunkTexts(patch: string): readonly string[] {
  const texts: string[][] = [];
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    if (HEAD.test(line) && isWhole(texts.at(-1))) texts.push([line]);
    else texts.at(-1)?.push(line);
  }
  return texts.map((lines) => lines.join('\n'));
}

/** A line that looks like a hunk header can be a line of the previous hunk. */
function isWhole(lines: readonly string[] | undefined): boolean {
  if (lines === undefined) return true;
  const [, , olds = '1', , freshes = '1'] = HEAD.exec(lines[0] ?? '') ?? [];
  const body = lines.slice(1).filter((line) => !line.startsWith('\\'));
  return body.filter((line) => !line.startsWith('+')).length >= Number(olds) && body.filter((line) => !line.startsWith('-')).length >= Number(freshes);
}

function readHunk(text: string): Hunk | undefined {
  const [head = '', ...rest] = text.split('\n');
  const [, oldStart, olds = '1', freshStart, freshes = '1'] = HEAD.exec(head) ?? [];
  const lines = readLines(rest);
  if (lines === undefined) return undefined;
  const hunk = { old: before(oldStart, olds), fresh: before(freshStart, freshes), lines };
  return oldCount(hunk) === Number(olds) && freshCount(hunk) === Number(freshes) ? hunk : undefined;
}

/** A side without lines has the number of the line it follows. */
const before = (start: string | undefined, count: string): number => (Number(count) === 0 ? Number(start) : Number(start) - 1);

function readLines(texts: readonly string[]): readonly PatchLine[] | undefined {
  const lines: PatchLine[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    const sign = text.charAt(0);
    if (sign === '\\' && last !== undefined) lines[lines.length - 1] = { ...last, noEnd: true };
    else if (sign === ' ' || sign === '+' || sign === '-') lines.push({ sign, text: text.slice(1) });
    // Some programs write an empty context line without its leading space.
    else if (text === '') lines.push({ sign: ' ', text: '' });
    else return undefined;
  }
  return lines;
}

export const oldCount = ({ lines }: Pick<Hunk, 'lines'>): number => lines.filter(({ sign }) => sign !== '+').length;
export const freshCount = ({ lines }: Pick<Hunk, 'lines'>): number => lines.filter(({ sign }) => sign !== '-').length;
const endOf = (hunk: Hunk | undefined): number => (hunk === undefined ? 0 : hunk.old + oldCount(hunk));

export const printPatch = (hunks: readonly Hunk[]): string => hunks.map(printHunk).join('');

function printHunk(hunk: Hunk): string {
  const lines = hunk.lines.map(({ sign, text, noEnd }) => `${sign}${text}\n${noEnd ? `${NO_END}\n` : ''}`);
  return `@@ -${range(hunk.old, oldCount(hunk))} +${range(hunk.fresh, freshCount(hunk))} @@\n${lines.join('')}`;
}

const range = (lines: number, count: number): string => `${count === 0 ? lines : lines + 1},${count}`;

export interface Counts {
  readonly additions: number;
  readonly deletions: number;
}

/** How many lines are added and removed, even in a patch whose numbers do not match. */
export function countPatch(patch: string): Counts {
  const lines = hunkTexts(patch).flatMap((text) => text.split('\n').slice(1));
  return { additions: lines.filter((line) => line.startsWith('+')).length, deletions: lines.filter((line) => line.startsWith('-')).length };
}
