/**
 * A readable piece of text; a character that is invisible or reverses others; a tab; or so many spaces that they could push something out of sight.
 */
export type Piece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'odd'; readonly code: string; readonly name: string }
  | { readonly kind: 'tab' }
  | { readonly kind: 'blanks'; readonly count: number };

/** More spaces in a row are more than an indent. */
const MANY_BLANKS = 20;

// Control and format characters (except newline and tab), unusual spaces, private-use characters and lone surrogates, signs that are drawn empty,
// and marks that draw nothing (except the emoji selector).
const ODD = /[^\P{Cc}\n\t]|\p{Cf}|\p{Co}|\p{Cs}|[^\P{Zs} ]|\p{Zl}|\p{Zp}|[\u2800\u{1d159}]|(?!\ufe0f)\p{DI}|(?<!\p{ExtPict})\ufe0f(?!\u20e3)/u;
const SPLIT = new RegExp(`(${ODD.source}|\\t| {${MANY_BLANKS + 1},})`, 'u');
const EACH = new RegExp(ODD.source, 'gu');

const NAMES: Readonly<Record<string, string>> = {
  '0': 'null',
  '7': 'bell',
  '8': 'backspace',
  a: 'line end',
  d: 'carriage return',
  '1b': 'escape',
  a0: 'no-break space',
  ad: 'soft hyphen',
  '200b': 'zero-width space',
  '200c': 'zero-width non-joiner',
  '200d': 'zero-width joiner',
  '200e': 'left-to-right mark',
  '200f': 'right-to-left mark',
  '202a': 'left-to-right embedding',
  '202b': 'right-to-left embedding',
  '202c': 'end of direction',
  '202d': 'left-to-right override',
  '202e': 'right-to-left override',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'end of isolate',
  '2800': 'empty braille sign',
  '3164': 'empty Hangul sign',
  feff: 'byte order mark',
};

/** The text in pieces, so that nothing in it can hide. */
export const piecesOf = (text: string): readonly Piece[] =>
  text
    .split(SPLIT)
    .filter((part) => part !== '')
    .map(pieceOf);

/** The same of a name or a title: a line break in it is odd too, because it would start a new line. */
export const linePiecesOf = (text: string): readonly Piece[] =>
  text
    .split(/([\n\t])/)
    .filter((part) => part !== '')
    .flatMap((part) => (part === '\n' || part === '\t' ? [oddPiece(part)] : piecesOf(part)));

function pieceOf(part: string): Piece {
  if (part === '\t') return { kind: 'tab' };
  if (part.length > MANY_BLANKS && part.trim() === '') return { kind: 'blanks', count: part.length };
  return ODD.test(part) ? oddPiece(part) : { kind: 'plain', text: part };
}

function oddPiece(char: string): Piece {
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  return { kind: 'odd', code: `U+${hex.toUpperCase().padStart(4, '0')}`, name: NAMES[hex] ?? 'an invisible character' };
}

export const oddCount = (text: string): number => piecesOf(text).filter((piece) => piece.kind === 'odd').length;

/** The text with every odd character replaced. */
export const withoutOdd = (text: string, wordsFor: (char: string) => string): string => text.replace(EACH, wordsFor);

// Control characters except newline and tab, and those that change the direction of text. Unlike other odd characters, no language and no emoji needs them in a document.
const COMMANDS = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text as a terminal and a browser may print it: escape sequences and direction changes are shown, not obeyed. */
export const withoutCommands = (text: string): string => text.replaceAll('\r\n', '\n').replace(COMMANDS, escapedCode);

/** How an odd character is written out. */
export function escapedCode(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  return hex.length > 2 ? `\\u{${hex}}` : `\\x${hex.padStart(2, '0')}`;
}

/** JSON that reads back the same and holds no character that a terminal obeys or that hides others. */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(EACH, (char) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
