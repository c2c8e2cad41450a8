/** Scripts that are written without spaces: each of their characters is a word, and what a person types is a phrase of them. */
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';

/** A character that words are made of, in scripts that have words. */
export const WORD_CHARACTER = `(?:(?![${CJK}])[\\p{L}\\p{N}])`;

const TOKENS = new RegExp(`[${CJK}]|${WORD_CHARACTER}+`, 'gu');
const SINGLE = new RegExp(`[${CJK}]`, 'u');
// A zero byte would end the text for the index.
const ODD = /[\0\u0080-\u{10ffff}]/gu;
const NOT_PLAIN = /[\0\u0080-\uffff]/;
const isPlain = (text: string): boolean => !NOT_PLAIN.test(text);

/** Without case and diacritics, character by character, so that what is found can be shown in the text as it was written. */
export const fold = (text: string): string => (isPlain(text) ? text.toLowerCase() : text.toLowerCase().replace(ODD, folded));

/** The words of a folded text, in order. */
export const wordsOf = (foldedText: string): readonly string[] => foldedText.match(TOKENS) ?? [];

/** What an index is given: it splits at everything that is no letter or digit, which leaves scripts without spaces to us. */
export const indexText = (text: string): string => (isPlain(text) ? text : text.replace(ODD, apart));

/** A folded text, and for each of its characters (and its end) where that stands in the text as it was written. */
export interface FoldedText {
  readonly text: string;
  readonly origins: (at: number) => number;
}

export function foldWithOrigins(text: string): FoldedText {
  if (isPlain(text)) return { text: text.toLowerCase(), origins: (at) => at };
  const starts: number[] = [];
  let result = '';
  let at = 0;
  for (const character of text) {
    const piece = fold(character);
    for (let unit = 0; unit < piece.length; unit++) starts.push(at);
    result += piece;
    at += character.length;
  }
  return { text: result, origins: (position) => starts[position] ?? text.length };
}

const known = new Map<string, string>();
const knownApart = new Map<string, string>();

/** A vault in a few languages has some thousand different characters. */
const REMEMBERED = 20_000;

const folded = (character: string): string => remembered(known, character, withoutMarks);

/** Folded, and set apart when it is a word by itself. Case of ASCII is left to the index. */
const apart = (character: string): string => remembered(knownApart, character, (one) => withoutMarks(one).replace(SINGLE, ' $& '));

function remembered(memory: Map<string, string>, character: string, make: (character: string) => string): string {
  const before = memory.get(character);
  if (before !== undefined) return before;
  const made = make(character);
  if (memory.size < REMEMBERED) memory.set(character, made);
  return made;
}

function withoutMarks(character: string): string {
  // Characters of private use are what an index marks its own words with.
  if (character === '\0' || /\p{Co}/u.test(character)) return ' ';
  return character.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').replace('ς', 'σ');
}
