export interface Piece {
  /** Where it begins: the pieces of one snippet never move. */
  readonly at: number;
  readonly text: string;
  readonly isMarked: boolean;
}

/** A snippet cut at its marks. Marks that overlap, lie outside or are out of order cut it all the same, and no character is lost or doubled. */
export function markedPieces(snippet: string, marks: readonly (readonly [number, number])[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const cut = (to: number, isMarked: boolean) => {
    const end = Math.min(to, snippet.length);
    if (end > at) pieces.push({ at, text: snippet.slice(at, end), isMarked });
    at = Math.max(at, end);
  };
  for (const [from, to] of [...marks].sort(([a], [b]) => a - b)) {
    cut(from, false);
    cut(to, true);
  }
  cut(snippet.length, false);
  return pieces;
}
