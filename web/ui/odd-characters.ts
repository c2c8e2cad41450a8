/** A piece of text that can be read as it stands, or a character that cannot be seen or turns others around. */
export type Piece = { readonly kind: 'plain'; readonly text: string } | { readonly kind: 'odd'; readonly code: string; readonly name: string };

// Control and format characters (but newline and tab), blanks that are not the usual one, and marks that draw nothing (but the one that makes a sign a picture).
const ODD = /[^\P{Cc}\n\t]|\p{Cf}|[^\P{Zs} ]|\p{Zl}|\p{Zp}|(?!\ufe0f)\p{DI}/u;
const SPLIT = new RegExp(`(${ODD.source})`, 'u');

const NAMES: Readonly<Record<string, string>> = {
  '0': 'null',
  '7': 'bell',
  '8': 'backspace',
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
  feff: 'byte order mark',
};

/** The text in pieces, so that nothing in it can hide. */
export const piecesOf = (text: string): readonly Piece[] =>
  text
    .split(SPLIT)
    .filter((part) => part !== '')
    .map(pieceOf);

function pieceOf(part: string): Piece {
  if (!ODD.test(part)) return { kind: 'plain', text: part };
  const hex = (part.codePointAt(0) ?? 0).toString(16);
  return { kind: 'odd', code: `U+${hex.toUpperCase().padStart(4, '0')}`, name: NAMES[hex] ?? 'a character that cannot be seen' };
}

export const oddCount = (text: string): number => piecesOf(text).filter((piece) => piece.kind === 'odd').length;
