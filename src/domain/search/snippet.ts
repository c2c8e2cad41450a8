import { type Mark, marksOf } from './occurrences.ts';
import type { Term } from './query.ts';

export interface Snippet {
  readonly snippet: string;
  readonly marks: [number, number][];
}

const CHARS = 240;
/** Characters shown before the first mark. */
const LEAD = 60;

/** The passage with the most terms, and where they are; the start of the text if there are none. Line breaks become spaces. */
export function snippetOf(text: string, terms: readonly Term[]): Snippet {
  const marks = marksOf(text, terms);
  const from = startOf(text, bestFirst(marks)?.from ?? 0);
  const to = endOf(text, Math.min(text.length, from + CHARS));
  const [opening, closing] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  const shift = opening.length - from;
  const shown = marks.filter((mark) => mark.from >= from && mark.to <= to).map(({ from, to }): [number, number] => [from + shift, to + shift]);
  return { snippet: opening + text.slice(from, to).replace(/\s/gu, ' ') + closing, marks: withoutOverlap(shown) };
}

/** The first mark that starts a passage with the most different terms. */
function bestFirst(marks: readonly Mark[]): Mark | undefined {
  let best: { readonly mark: Mark; readonly terms: number } | undefined;
  for (const [index, mark] of marks.entries()) {
    const terms = termsWithin(marks, index, mark.from + CHARS - LEAD);
    if (best === undefined || terms > best.terms) best = { mark, terms };
  }
  return best?.mark;
}

function termsWithin(marks: readonly Mark[], first: number, end: number): number {
  const seen = new Set<number>();
  for (let index = first; index < marks.length; index++) {
    const mark = marks[index];
    if (mark === undefined || mark.to > end) break;
    seen.add(mark.term);
  }
  return seen.size;
}

/** A little before the mark, at the start of a word if possible. */
function startOf(text: string, mark: number): number {
  const earliest = Math.max(0, mark - LEAD);
  if (earliest === 0) return 0;
  const space = text.slice(earliest, mark).search(/\s/);
  return space < 0 ? betweenCharacters(text, earliest) : earliest + space + 1;
}

const endOf = (text: string, end: number): number => (end === text.length ? end : betweenCharacters(text, end));

/** Never inside a surrogate pair. */
const betweenCharacters = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at);

function withoutOverlap(marks: readonly [number, number][]): [number, number][] {
  const kept: [number, number][] = [];
  for (const [from, to] of marks) {
    const last = kept.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else kept.push([from, to]);
  }
  return kept;
}
