import { linePiecesOf, type Piece, piecesOf } from '../../../src/protocol/odd-characters.ts';
import { countText } from '../text/format.ts';

/** Up to this many spaces are drawn as dots; beyond it, only their number. */
const DRAWN_BLANKS = 60;

/** Text with every character visible. */
export const VisibleText = ({ text }: { readonly text: string }) => <Pieces pieces={piecesOf(text)} />;

/** For a name, title or path, where line breaks are visible too. */
export const VisibleLine = ({ text }: { readonly text: string }) => <Pieces pieces={linePiecesOf(text)} />;

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
  return pieces.map((piece, at) => (piece.kind === 'plain' ? piece.text : <Sign key={at} piece={piece} />));
}

function Sign({ piece }: { readonly piece: Exclude<Piece, { kind: 'plain' }> }) {
  switch (piece.kind) {
    case 'tab':
      return <span className="tab">{'\t'}</span>;
    case 'blanks':
      if (piece.count <= DRAWN_BLANKS) return <span className="blanks">{' '.repeat(piece.count)}</span>;
      return <mark className="odd">{countText(piece.count, 'space')}</mark>;
    case 'odd':
      return (
        <mark className="odd" title={`${piece.code}, ${piece.name}`}>
          {piece.code}
        </mark>
      );
  }
}
