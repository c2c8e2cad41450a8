import { freshCount, type Hunk, oldCount, type PatchLine } from './patch.ts';

/** Context lines around a change, as in any unified diff. */
const CONTEXT = 3;

/** Both changes as one, from before the first to after the second; undefined if the second was not made to the result of the first. */
export function compose(first: readonly Hunk[], second: readonly Hunk[]): readonly Hunk[] | undefined {
  const hunks: Hunk[] = [];
  let [firstShift, secondShift] = [0, 0];
  for (const group of groupsOf(first, second)) {
    const lines = composeGroup(group);
    if (lines === undefined) return undefined;
    for (const hunk of trimmed({ old: group.from - firstShift, fresh: group.from + secondShift, lines: settled(lines) })) hunks.push(hunk);
    firstShift += shiftOf(group.first);
    secondShift += shiftOf(group.second);
  }
  return hunks;
}

const shiftOf = (hunks: readonly Hunk[]): number => hunks.reduce((sum, hunk) => sum + freshCount(hunk) - oldCount(hunk), 0);

/** Overlapping hunks of both changes: lines `from` to `to` of the file between the two changes. */
interface Group {
  readonly from: number;
  to: number;
  readonly first: Hunk[];
  readonly second: Hunk[];
}

function groupsOf(first: readonly Hunk[], second: readonly Hunk[]): readonly Group[] {
  const all = [
    ...first.map((hunk) => ({ hunk, side: 'first' as const, from: hunk.fresh, to: hunk.fresh + freshCount(hunk) })),
    ...second.map((hunk) => ({ hunk, side: 'second' as const, from: hunk.old, to: hunk.old + oldCount(hunk) })),
  ].sort((a, b) => a.from - b.from || a.to - b.to);
  const groups: Group[] = [];
  for (const { hunk, side, from, to } of all) {
    const last = groups.at(-1);
    const group = last === undefined || from > last.to ? { from, to, first: [], second: [] } : last;
    if (group !== last) groups.push(group);
    group[side].push(hunk);
    group.to = Math.max(group.to, to);
  }
  return groups;
}

/** What one change says about each line of the file between the changes: the line itself, and the lines it removed or added before it. */
interface IntermediateLines {
  readonly beside: Map<number, PatchLine[]>;
  readonly lines: Map<number, PatchLine>;
}

function intermediateLines(hunks: readonly Hunk[], between: (hunk: Hunk) => number, besideSign: '+' | '-'): IntermediateLines {
  const [beside, lines] = [new Map<number, PatchLine[]>(), new Map<number, PatchLine>()];
  for (const hunk of hunks) {
    let at = between(hunk);
    for (const line of hunk.lines) {
      if (line.sign === besideSign) placed(beside, at).push(line);
      else lines.set(at++, line);
    }
  }
  return { beside, lines };
}

function placed(beside: Map<number, PatchLine[]>, at: number): PatchLine[] {
  const known = beside.get(at) ?? [];
  beside.set(at, known);
  return known;
}

function composeGroup({ from, to, first, second }: Group): readonly PatchLine[] | undefined {
  const earlier = intermediateLines(first, (hunk) => hunk.fresh, '-');
  const later = intermediateLines(second, (hunk) => hunk.old, '+');
  const lines: PatchLine[] = [];
  for (let at = from; at <= to; at++) {
    // One by one: a call can only take so many arguments, and a whole file can be rewritten.
    for (const line of earlier.beside.get(at) ?? []) lines.push(line);
    for (const line of later.beside.get(at) ?? []) lines.push(line);
    const [was, becomes] = [earlier.lines.get(at), later.lines.get(at)];
    const known = was ?? becomes;
    if (known === undefined) continue;
    if (was !== undefined && becomes !== undefined && !isSame(was, becomes)) return undefined;
    const sign = signOf(was?.sign === '+', becomes?.sign === '-');
    if (sign !== undefined) lines.push({ ...known, sign });
  }
  return lines;
}

const isSame = (a: PatchLine, b: PatchLine): boolean => a.text === b.text && (a.noEnd ?? false) === (b.noEnd ?? false);

/** A line that was added and then removed is in neither version. */
function signOf(wasAdded: boolean, isRemoved: boolean): PatchLine['sign'] | undefined {
  if (wasAdded) return isRemoved ? undefined : '+';
  return isRemoved ? '-' : ' ';
}

/** Removed lines come before added ones, and a line that was removed and added again is unchanged. */
function settled(lines: readonly PatchLine[]): readonly PatchLine[] {
  return blocksOf(lines).flatMap((block) => {
    if (block[0]?.sign === ' ') return block;
    const [removed, added] = [block.filter(({ sign }) => sign === '-'), block.filter(({ sign }) => sign === '+')];
    const head = sameLength(removed, added);
    const tail = Math.min(sameLength([...removed].reverse(), [...added].reverse()), Math.min(removed.length, added.length) - head);
    const unchangedLine = (line: PatchLine): PatchLine => ({ ...line, sign: ' ' });
    return [
      ...removed.slice(0, head).map(unchangedLine),
      ...removed.slice(head, removed.length - tail),
      ...added.slice(head, added.length - tail),
      ...removed.slice(removed.length - tail).map(unchangedLine),
    ];
  });
}

function sameLength(a: readonly PatchLine[], b: readonly PatchLine[]): number {
  const differs = a.findIndex((line, at) => b[at] === undefined || !isSame(line, b[at]));
  return differs < 0 ? a.length : differs;
}

/** Alternating blocks of unchanged and changed lines. */
function blocksOf(lines: readonly PatchLine[]): readonly (readonly PatchLine[])[] {
  const blocks: PatchLine[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    if (block !== undefined && (block[0]?.sign === ' ') === (line.sign === ' ')) block.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

/** The hunk without the lines far from any change: zero, one or several hunks. */
function trimmed(hunk: Hunk): readonly Hunk[] {
  const hunks: { old: number; fresh: number; lines: PatchLine[] }[] = [];
  let [old, fresh, isOpen] = [hunk.old, hunk.fresh, false];
  for (const [at, line] of hunk.lines.entries()) {
    const isKept = isNear(hunk.lines, at);
    if (isKept && !isOpen) hunks.push({ old, fresh, lines: [] });
    if (isKept) hunks.at(-1)?.lines.push(line);
    isOpen = isKept;
    if (line.sign !== '+') old++;
    if (line.sign !== '-') fresh++;
  }
  return hunks;
}

const isNear = (lines: readonly PatchLine[], at: number): boolean => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' ');
