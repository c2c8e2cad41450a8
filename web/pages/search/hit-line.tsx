import { Link } from '@tanstack/react-router';
import type { Hit } from '../../../src/protocol/api/search.ts';
import { kindText } from './hit-kinds.ts';
import { markedPieces } from './marked-pieces.ts';

interface HitLineProps {
  readonly hit: Hit;
  readonly onNarrow: (name: string, value: string) => void;
}

/** A snippet that opens the transcript at its event. Plain text only: its content is untrusted. */
export function HitLine({ hit, onNarrow }: HitLineProps) {
  return (
    <li className="hit">
      <Link to="/s/$sessionId" params={{ sessionId: hit.sessionId }} hash={hit.seq > 0 ? `e${hit.seq}` : ''} className="hit-link">
        <span className={hit.isError ? 'hit-kind failed' : 'hit-kind'}>{hit.isError ? `${kindText(hit.kind)}, failed` : kindText(hit.kind)}</span>
        <span className={hit.kind === 'prompt' || hit.kind === 'answer' || hit.kind === 'title' ? 'hit-text' : 'hit-text mono'}>
          {markedPieces(hit.snippet, hit.marks).map(({ at, text, isMarked }) => (isMarked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>))}
        </span>
      </Link>
      {(hit.tool !== undefined || hit.path !== undefined) && (
        <span className="hit-chips">
          <NarrowChip name="tool" value={hit.tool} onNarrow={onNarrow} title="Only calls to this tool" />
          <NarrowChip name="path" value={hit.path} onNarrow={onNarrow} title="Sessions that touched this file" />
        </span>
      )}
    </li>
  );
}

interface NarrowChipProps {
  readonly name: 'tool' | 'path';
  readonly value: string | undefined;
  readonly title: string;
  readonly onNarrow: (name: string, value: string) => void;
}

function NarrowChip({ name, value, title, onNarrow }: NarrowChipProps) {
  if (value === undefined) return null;
  return (
    <button type="button" className="chip mono" title={title} onClick={() => onNarrow(name, value)}>
      {value}
    </button>
  );
}
