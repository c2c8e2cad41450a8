export interface Piece {
  /** Its start in the snippet. Stable, so it works as a key. */
  readonly at: number;
  readonly text: string;
  readonly isMarked: boolean;
}

/** A snippet split at its marks. Marks may overlap, lie outside or be out of order; no character is lost or doubled. */
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
