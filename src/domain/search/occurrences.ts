import { foldWithOrigins, WORD_CHARACTER } from './fold.ts';
import type { Term } from './query.ts';

/** Where a term occurs in a text; `term` is its index in the query. */
export interface Mark {
  readonly term: number;
  readonly from: number;
  readonly to: number;
}

/** Enough to choose a good passage from; a word can occur ten thousand times in a long text. */
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

/** Whether the folded text contains every term. */
export const containsAll = (foldedText: string, terms: readonly Term[]): boolean => terms.every((term) => foldedText.search(patternOf(term)) >= 0);

const patterns = new WeakMap<Term, RegExp>();

/** Compiled once for all texts of a query. */
function patternOf(term: Term): RegExp {
  const known = patterns.get(term);
  if (known !== undefined) return known;
  const made = makePattern(term);
  patterns.set(term, made);
  return made;
}

/** A term matches where its words are whole words and its punctuation is present. */
function makePattern({ literal, isPrefix }: Term): RegExp {
  const body = literal.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&').replace(/ /g, '\\s+');
  const before = STARTS_WITH_WORD.test(literal) ? `(?<!${WORD_CHARACTER})` : '';
  const after = isPrefix ? `${WORD_CHARACTER}*` : ENDS_WITH_WORD.test(literal) ? `(?!${WORD_CHARACTER})` : '';
  return new RegExp(before + body + after, 'gu');
}

const STARTS_WITH_WORD = new RegExp(`^${WORD_CHARACTER}`, 'u');
const ENDS_WITH_WORD = new RegExp(`${WORD_CHARACTER}$`, 'u');
