import { foldWithOrigins, WORD_CHARACTER } from './fold.ts';
import type { Term } from './query.ts';

/** Where a term stands in a text, from and to; `term` is its place in the query. */
export interface Mark {
  readonly term: number;
  readonly from: number;
  readonly to: number;
}

/** Enough to choose a good passage from; a word may stand in a long text ten thousand times. */
const OF_ONE_TERM = 200;

export function marksOf(text: string, terms: readonly Term[]): readonly Mark[] {
  const folded = foldWithOrigins(text);
  const marks: Mark[] = [];
  for (const [term, wanted] of terms.entries()) {
    let left = OF_ONE_TERM;
    for (const { 0: found, index } of folded.text.matchAll(patternOf(wanted))) {
      if (left-- === 0) break;
      marks.push({ term, from: folded.origins(index), to: folded.origins(index + found.length) });
    }
  }
  return marks.sort((a, b) => a.from - b.from || b.to - a.to);
}

/** True when every term stands in the folded text. */
export const containsAll = (foldedText: string, terms: readonly Term[]): boolean => terms.every((term) => foldedText.search(patternOf(term)) >= 0);

const patterns = new WeakMap<Term, RegExp>();

/** Made once for all the texts that a query looks at. */
function patternOf(term: Term): RegExp {
  const known = patterns.get(term);
  if (known !== undefined) return known;
  const made = makePattern(term);
  patterns.set(term, made);
  return made;
}

/** A term stands where its words are whole words and its signs are there. */
function makePattern({ literal, isPrefix }: Term): RegExp {
  const body = literal.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&').replace(/ /g, '\\s+');
  const before = BEGINS_WITH_WORD.test(literal) ? `(?<!${WORD_CHARACTER})` : '';
  const after = isPrefix ? `${WORD_CHARACTER}*` : ENDS_WITH_WORD.test(literal) ? `(?!${WORD_CHARACTER})` : '';
  return new RegExp(before + body + after, 'gu');
}

const BEGINS_WITH_WORD = new RegExp(`^${WORD_CHARACTER}`, 'u');
const ENDS_WITH_WORD = new RegExp(`${WORD_CHARACTER}$`, 'u');
