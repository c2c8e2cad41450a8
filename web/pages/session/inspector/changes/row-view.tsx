import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, FileText } from 'lucide-react';
import { useEffect } from 'react';
import { shownPath } from '../../../../../src/domain/changes/path.ts';
import { clockText, numberText } from '../../../../base/text/format.ts';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import { useComment } from '../../../../parts/annotations/comment-context.ts';
import { LineNumber } from '../../../../parts/annotations/line-number.tsx';
import { linePlace } from '../../../../parts/annotations/line-place.ts';
import type { DiffLine } from '../../../../parts/diff/patch.ts';
import { useInspector } from '../inspector-context.ts';
import { JumpLink } from '../jump-link.tsx';
import type { ReviewFile } from '../review-store.ts';
import { FileCount } from './file-list.tsx';
import type { ReviewRow } from './rows.ts';

interface RowViewProps {
  readonly row: ReviewRow;
  readonly cwd: string;
  readonly onFold: (path: string) => void;
  readonly onNeed: (path: string) => void;
}

export function RowView({ row, cwd, onFold, onNeed }: RowViewProps) {
  switch (row.kind) {
    case 'file':
      return <FileHead file={row.file} cwd={cwd} isFolded={row.isFolded} onFold={onFold} />;
    case 'calls':
      return <Calls edits={row.edits} isLater={row.isLater} />;
    case 'note':
      return <p className="review-note">{row.text}</p>;
    case 'wait':
      return <Wanted path={row.path} onNeed={onNeed} />;
    case 'hunk':
      return (
        <p className="review-hunk">
          <VisibleLine text={row.text} />
        </p>
      );
    case 'line':
      return <LineView line={row.line} path={row.path} />;
    case 'pair':
      return (
        <div className="review-pair">
          <Half line={row.left} path={row.path} side="old" />
          <Half line={row.right} path={row.path} side="new" />
        </div>
      );
    case 'gap':
      return null;
  }
}

interface FileHeadProps {
  readonly file: ReviewFile;
  readonly cwd: string;
  readonly isFolded: boolean;
  readonly onFold: (path: string) => void;
}

function FileHead({ file, cwd, isFolded, onFold }: FileHeadProps) {
  const { sessionId } = useInspector();
  const path = shownPath(cwd, file.path);
  return (
    <div className="review-head">
      <button type="button" className="review-fold" aria-expanded={!isFolded} onClick={() => onFold(file.path)}>
        {isFolded ? <ChevronRight size={14} aria-hidden="true" /> : <ChevronDown size={14} aria-hidden="true" />}
        <span className="review-path">
          <VisibleLine text={path} />
        </span>
        <span className="quiet">{file.status}</span>
      </button>
      <FileCount file={file} />
      <Link to="/s/$sessionId/files" params={{ sessionId }} search={{ path }} hash className="icon-button" aria-label={`Open ${path}`}>
        <FileText size={14} aria-hidden="true" />
      </Link>
    </div>
  );
}

/** More calls are only counted. */
const CALLS = 6;

function Calls({ edits, isLater }: { readonly edits: ReviewFile['edits']; readonly isLater: boolean }) {
  return (
    <p className="review-calls">
      {isLater ? 'later, after other changes: ' : 'by '}
      {edits.slice(-CALLS).map((edit) => (
        <JumpLink key={edit.seq} seq={edit.seq} title="Show this call in the transcript">
          {edit.tool ?? 'tool'} {clockText(edit.at)}
        </JumpLink>
      ))}
      {edits.length > CALLS && <span className="quiet">and {numberText(edits.length - CALLS)} earlier</span>}
    </p>
  );
}

/** Loads a patch when it comes into view. */
function Wanted({ path, onNeed }: { readonly path: string; readonly onNeed: (path: string) => void }) {
  useEffect(() => onNeed(path), [path, onNeed]);
  return <p className="review-note">Loading…</p>;
}

const SIGNS = { add: '+', del: '−', same: '', hunk: '', end: '' } as const;

interface LineProps {
  readonly path: string;
  readonly line: DiffLine;
}

function LineView({ line, path }: LineProps) {
  return (
    <div className={`review-line diff-${line.kind}`}>
      <SideNumber path={path} line={line} side="old" />
      <SideNumber path={path} line={line} side="new" />
      <span className="line-sign">{SIGNS[line.kind]}</span>
      <LineText text={line.text} />
    </div>
  );
}

/** A line that was only moved is commented on where it is now. */
function SideNumber({ path, line, side }: LineProps & { readonly side: 'old' | 'new' }) {
  const comment = useComment();
  const number = side === 'old' ? line.oldLine : line.newLine;
  const isHere = side === 'new' || line.kind === 'del';
  const open = comment && number !== undefined && isHere ? () => comment(linePlace(path, [number, number], line.text, side)) : undefined;
  return <LineNumber number={number} onComment={open} />;
}

function Half({ line, path, side }: { readonly line: DiffLine | undefined; readonly path: string; readonly side: 'old' | 'new' }) {
  if (line === undefined) return <div className="review-line diff-none" />;
  return (
    <div className={`review-line diff-${line.kind}`}>
      <SideNumber path={path} line={line} side={side} />
      <span className="line-sign">{SIGNS[line.kind]}</span>
      <LineText text={line.text} />
    </div>
  );
}

/** Longer lines are cut: such files are not made for reading. */
export const LINE_CHARS = 2000;

function LineText({ text }: { readonly text: string }) {
  return (
    <code>
      <VisibleText text={text.slice(0, LINE_CHARS)} />
      {text.length > LINE_CHARS && <span className="quiet"> … {numberText(text.length - LINE_CHARS)} more characters</span>}
    </code>
  );
}
