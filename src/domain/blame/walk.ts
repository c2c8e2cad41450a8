import { compareLines } from '../changes/line-diff.ts';
import type { Hunk } from '../changes/patch.ts';
import { keyOf } from './line-key.ts';
import { EDGE, findReturned, isTelling, type OlderVersion, type Walked, type Written, writtenIn } from './returned.ts';

/** Something known about a file at one time. */
export type Step = EditStep | KnownStep;

/** A call that reported what it changed. */
export interface EditStep {
  readonly kind: 'edit';
  readonly at: number;
  /** What the caller knows it by. */
  readonly origin: number;
  readonly hunks: readonly Hunk[];
}

/** The whole file as a checkpoint holds it. */
export interface KnownStep {
  readonly kind: 'known';
  readonly at: number;
  readonly text: string;
}

/** A turn from the checkpoint before it to the one after it; without an end it still runs. */
export interface TurnSpan {
  readonly session: string;
  readonly from: number;
  readonly to: number | undefined;
  readonly origin: number;
}

/** Where a line of today's file comes from. */
export type LineOrigin =
  /** `foundSince`: it is only recognized, in a file about which nothing is known; true only if the line got there after this time. */
  | { readonly by: 'edit' | 'turn'; readonly origin: number; readonly foundSince?: number }
  /** It appeared up to this time, and nobody is known to have written it. */
  | { readonly by: 'unknown'; readonly until: number }
  /** It is older than everything that is known. */
  | { readonly by: 'base' };

/** What is known about a file in one folder, also under its old names, oldest first. */
export interface FileHistory {
  readonly steps: readonly Step[];
  readonly turns: readonly TurnSpan[];
}

/**
 * Who wrote each line of today's file: its edits are taken back one by one, newest first, and where no edit explains a difference, the checkpoints
 * around it name the turn. A line that disappeared and came back (a squash, a rebase, a cherry-pick) is recognized by its content and the lines
 * around it. `elsewhere`: the same file in other folders of the repository, such as worktrees.
 */
export function walk(today: readonly string[], own: FileHistory, elsewhere: readonly FileHistory[], now: number): readonly LineOrigin[] {
  const file = walked(today, own, now);
  const written = [file.written, ...elsewhere.map((other) => walked(lastKnown(other), other, now).written)].flat().sort((a, b) => a.at - b.at);
  // What is older than all that is known here can only have come from another folder.
  const hasStart = own.steps.some(({ kind }) => kind === 'known');
  const isOld = hasStart ? { written: new Set(file.written), history: own } : undefined;
  return findReturned(file, written, olderVersions([own, ...elsewhere], isOld?.history), isOld?.written);
}

/** Older versions of the file that are looked through for lines that came back, newest first. */
const VERSIONS = 20;

function olderVersions(histories: readonly FileHistory[], own: FileHistory | undefined): readonly OlderVersion[] {
  const seen = new Set<string>();
  const versions = histories.flatMap((history) =>
    history.steps.flatMap((step) => (step.kind === 'known' ? [{ at: step.at, lines: linesOf(step.text), text: step.text, history }] : [])),
  );
  const distinct = versions.sort((a, b) => b.at - a.at).filter(({ text }) => !seen.has(text) && seen.add(text));
  return distinct.slice(0, VERSIONS).map(({ at, lines, history }) => {
    const { steps, turns } = history;
    let file: WalkedFile | undefined;
    const walkedThen = (): WalkedFile => {
      file ??= walked(lines, { steps: steps.filter((step) => step.at < at), turns }, at);
      return file;
    };
    return { at, keys: lines.map(keyOf), isOwn: history === own, writtenAt: (index) => walkedThen().writtenAt(index) };
  });
}

function walked(today: readonly string[], { steps, turns }: FileHistory, now: number): WalkedFile {
  const file = new WalkedFile(today, turns, now);
  for (const step of [...steps].reverse()) {
    if (step.kind === 'edit') file.takeBack(step);
    else file.comparedWith(step);
  }
  return file;
}

function lastKnown({ steps }: FileHistory): readonly string[] {
  const last = steps.findLast((step) => step.kind === 'known');
  return last === undefined ? [] : linesOf(last.text);
}

/** A line of the file at the time the walk has reached; `today` is its place in today's file, if it is still there. */
interface WalkedLine {
  readonly key: string;
  readonly today: number | undefined;
}

/** Lines this far from where they should be are still looked for. */
const WINDOW = 200;

class WalkedFile implements Walked {
  readonly keys: readonly string[];
  readonly written: Written[] = [];
  #lines: readonly WalkedLine[];
  readonly #origins: (LineOrigin | undefined)[];
  readonly #ids: (string | undefined)[];
  #until: number;

  constructor(
    today: readonly string[],
    private readonly turns: readonly TurnSpan[],
    now: number,
  ) {
    this.keys = today.map(keyOf);
    this.#lines = this.keys.map((key, index) => ({ key, today: index }));
    this.#ids = today.map(() => undefined);
    this.#origins = today.map(() => undefined);
    this.#until = now;
  }

  origins(): readonly LineOrigin[] {
    return this.#origins.map((origin) => origin ?? { by: 'base' });
  }

  /** Which written lines today's file still has where they were written. */
  taken(): ReadonlySet<string> {
    return new Set(this.#ids.filter((id) => id !== undefined));
  }

  writtenAt(index: number): Written | undefined {
    const id = this.#ids[index];
    return id === undefined ? undefined : this.written.find((one) => one.id === id);
  }

  takeBack(step: EditStep): void {
    const { origin, hunks } = step;
    this.written.push(...writtenIn(step));
    for (const [index, hunk] of [...hunks.entries()].reverse()) {
      const fresh = hunk.lines.filter(({ sign }) => sign !== '-').map(({ text }) => keyOf(text));
      const at = this.#find(fresh, hunk.fresh);
      const matches = at === undefined ? this.#someOf(fresh, hunk.fresh) : fresh.map((_, offset) => at + offset);
      if (matches.some((match) => match !== undefined)) this.#undo(hunk, matches, { origin, hunk: index });
    }
  }

  /** Where all of these lines are, closest to where they should be. */
  #find(fresh: readonly string[], expected: number): number | undefined {
    const fits = (at: number): boolean =>
      at >= 0 && at + fresh.length <= this.#lines.length && fresh.every((key, offset) => this.#lines[at + offset]?.key === key);
    if (fresh.length === 0) return undefined;
    for (let distance = 0; distance <= this.#lines.length; distance += 1) {
      if (fits(expected + distance)) return expected + distance;
      if (fits(expected - distance)) return expected - distance;
    }
    return undefined;
  }

  /** Somebody edited them since: those that are left, in order. */
  #someOf(fresh: readonly string[], expected: number): readonly (number | undefined)[] {
    const start = Math.max(0, expected - WINDOW);
    const near = this.#lines.slice(start, expected + fresh.length + WINDOW);
    const matches: (number | undefined)[] = [];
    let at = start;
    for (const { kind } of compareLines(
      fresh,
      near.map(({ key }) => key),
    )) {
      if (kind !== 'add') matches.push(kind === 'same' ? at : undefined);
      if (kind !== 'del') at += 1;
    }
    return matches.map((match, index) => (match !== undefined && isSure(fresh, matches, index) ? match : undefined));
  }

  #undo(hunk: Hunk, matches: readonly (number | undefined)[], { origin, hunk: number }: { readonly origin: number; readonly hunk: number }): void {
    const removed = new Set<number>();
    const back = new Map<number, WalkedLine[]>();
    let index = 0;
    let place = matches.find((match) => match !== undefined) ?? 0;
    for (const { sign, text } of hunk.lines) {
      if (sign === '-') {
        back.set(place, [...(back.get(place) ?? []), { key: keyOf(text), today: undefined }]);
        continue;
      }
      const match = matches[index];
      if (sign === '+' && match !== undefined) {
        removed.add(match);
        this.#name(match, { by: 'edit', origin }, `${origin} ${number} ${index}`);
      }
      if (match !== undefined) place = match + 1;
      index += 1;
    }
    const lines = this.#lines.flatMap((line, at) => [...(back.get(at) ?? []), ...(removed.has(at) ? [] : [line])]);
    this.#lines = [...lines, ...(back.get(this.#lines.length) ?? [])];
  }

  #name(at: number, origin: LineOrigin, written?: string): void {
    const today = this.#lines[at]?.today;
    if (today === undefined || this.#origins[today] !== undefined) return;
    this.#origins[today] = origin;
    this.#ids[today] = written;
  }

  /** What the file has more than at this time came later, though no edit explains it. */
  comparedWith({ at, text }: KnownStep): void {
    const known = linesOf(text).map(keyOf);
    const later = this.#laterThan(at);
    const lines: WalkedLine[] = [];
    let index = 0;
    for (const { kind, text: key } of compareLines(
      known,
      this.#lines.map((line) => line.key),
    )) {
      const line = this.#lines[index];
      if (kind === 'del' || line === undefined) lines.push({ key, today: undefined });
      else if (kind === 'same') lines.push(line);
      else this.#came(index, later);
      if (kind !== 'del') index += 1;
    }
    this.#lines = lines;
    this.#until = at;
  }

  #came(at: number, origin: LineOrigin): void {
    if (origin.by !== 'turn') return this.#name(at, origin);
    const key = this.#lines[at]?.key ?? '';
    // Equal lines of one turn count as one: none of them is recognized elsewhere while another is still there.
    const id = `turn ${origin.origin} ${key}`;
    const around = { before: this.#lines[at - 1]?.key ?? EDGE, after: this.#lines[at + 1]?.key ?? EDGE };
    this.written.push({ id, by: 'turn', origin: origin.origin, at: this.#until, key, ...around });
    this.#name(at, origin, id);
  }

  /** If only one session was at work in this time, it was its turn. */
  #laterThan(since: number): LineOrigin {
    const until = this.#until;
    const open = this.turns.filter(({ from, to }) => from < until && (to === undefined || to > since));
    const [only] = open;
    const isWhole = only !== undefined && only.from <= since && (only.to === undefined || only.to >= until);
    return open.length === 1 && isWhole ? { by: 'turn', origin: only.origin } : { by: 'unknown', until };
  }
}

/** A match counts if it says something by itself, or stands next to another one. */
function isSure(keys: readonly string[], matches: readonly (number | undefined)[], index: number): boolean {
  const at = matches[index] ?? Number.NaN;
  return isTelling(keys[index] ?? '') || matches[index - 1] === at - 1 || matches[index + 1] === at + 1;
}

/** The last line end starts no further line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
