import { piecesOf } from './odd-characters.ts';

/** Text in which every character can be seen. */
export function VisibleText({ text }: { readonly text: string }) {
  return piecesOf(text).map((piece, at) => {
    if (piece.kind === 'plain') return piece.text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
      <mark key={at} className="odd" title={`${piece.code}, ${piece.name}`}>
        {piece.code}
      </mark>
    );
  });
}
