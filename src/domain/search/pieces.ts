/** A part of what somebody typed: words, or an operator with its value. */
export interface Piece {
  readonly operator?: string;
  readonly text: string;
  readonly isQuoted: boolean;
}

const OPERATORS: ReadonlySet<string> = new Set(['agent', 'project', 'tool', 'path', 'is', 'before', 'after', 'kind']);

/** An operator and its value, a quoted phrase, or what stands between spaces. A quote that is never closed ends with the text. */
const PIECES = /([a-z]+):"([^"]*)(?:"|$)|([a-z]+):(\S+)|"([^"]*)(?:"(?=\s|$)|$)|(\S+)/giu;

/** What stands behind an unknown operator, or behind one without value, is words like any others: `std::vector`, `tool:`. */
export function piecesOf(text: string): readonly Piece[] {
  return [...text.matchAll(PIECES)].flatMap(pieceOf).filter((piece) => piece.text.trim() !== '');
}

function pieceOf([whole, quotedFor = '', quoted, plainFor = '', plain, phrase]: RegExpMatchArray): readonly Piece[] {
  if (phrase !== undefined) return [{ text: phrase, isQuoted: true }];
  const operator = (quotedFor || plainFor).toLowerCase();
  const value = quoted ?? plain;
  if (value === undefined || !OPERATORS.has(operator) || value.startsWith(':')) return [{ text: whole, isQuoted: false }];
  return [{ operator, text: value, isQuoted: quoted !== undefined }];
}
