/** Scripts without spaces: each character is a word, and what a person types is a phrase. */
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';

/** A character of a word, in scripts that separate words. */
export const WORD_CHARACTER = `(?:(?![${CJK}])[\\p{L}\\p{N}])`;

const TOKENS = new RegExp(`[${CJK}]|${WORD_CHARACTER}+`, 'gu');
const SINGLE = new RegExp(`[${CJK}]`, 'u');
// A zero byte would end the text for the index.
const ODD = /[\0\u0080-\u{10ffff}]/gu;
const NOT_PLAIN = /[\0\u0080-\uffff]/;
const isPlain = (text: string): boolean => !NOT_PLAIN.test(text);

/** Without case and diacritics, character by character, so that hits can be marked in the original text. */
export const fold = (text: string): string => (isPlain(text) ? text.toLowerCase() : text.toLowerCase().replace(ODD, folded));

/** The words of a folded text, in order. */
export const wordsOf = (foldedText: string): readonly string[] => foldedText.match(TOKENS) ?? [];

/** The text for the index. The index splits at everything but letters and digits, so we split scripts without spaces. */
export const indexText = (text: string): string => (isPlain(text) ? text : text.replace(ODD, apart));

/** A folded text, and for each of its characters (and its end) its position in the original text. */
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

/** Sessions in a few languages have some thousand different characters. */
const REMEMBERED = 20_000;

const folded = (character: string): string => remembered(known, character, withoutMarks);

/** Folded, with spaces around it if it is a word by itself. The index folds the case of ASCII. */
const apart = (character: string): string => remembered(knownApart, character, (one) => withoutMarks(one).replace(SINGLE, ' $& '));

function remembered(memory: Map<string, string>, character: string, make: (character: string) => string): string {
  const before = memory.get(character);
  if (before !== undefined) return before;
  const made = make(character);
  if (memory.size < REMEMBERED) memory.set(character, made);
  return made;
}

function withoutMarks(character: string): string {
  // The index marks its own words with private-use characters.
  if (character === '\0' || /\p{Co}/u.test(character)) return ' ';
  return character.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').replace('ς', 'σ');
}
