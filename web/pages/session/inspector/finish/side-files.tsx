import { ChevronDown, ChevronRight } from 'lucide-react';
import { useStore } from 'zustand';
import type { Side, SideDiff, SideFile, StageBody } from '../../../../../src/protocol/api/finish.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { DiffView } from '../../../../parts/diff/diff-view.tsx';
import { parsePatch } from '../../../../parts/diff/patch.ts';
import { type FinishStore, keyOf } from './finish-store.ts';

interface SideFilesProps {
  readonly finish: FinishStore;
  readonly side: Side;
  readonly files: readonly SideFile[];
  readonly isFree: boolean;
  readonly more: boolean;
  /** Changes were discarded here lately. */
  readonly hasDiscarded?: boolean;
  /** Staged files outside the session's folder. */
  readonly elsewhere?: number;
}

/** More files are staged all at once, or in a terminal. */
const LISTED = 300;
const TITLES = { unstaged: 'Changes', staged: 'Staged' } as const;
const MOVE = { unstaged: 'stage', staged: 'unstage' } as const;
const WORDS = { unstaged: 'Stage', staged: 'Unstage' } as const;

/** The files of one side; each opens to its hunks. */
export function SideFiles({ finish, side, files, isFree, more, elsewhere = 0, hasDiscarded = false }: SideFilesProps) {
  const all = files.map(({ path }) => path);
  return (
    <section className="finish-side" aria-label={TITLES[side]}>
      <header>
        <h3>
          {TITLES[side]} <span className="side-count">{files.length}</span>
        </h3>
        {files.length > 0 && (
          <button type="button" className="button" disabled={!isFree} onClick={() => void finish.change(MOVE[side], { paths: all })}>
            {WORDS[side]} all
          </button>
        )}
      </header>
      {files.length === 0 && elsewhere === 0 && <p className="quiet">{side === 'unstaged' ? 'Nothing left to stage.' : 'Nothing staged yet.'}</p>}
      <ul>
        {files.slice(0, LISTED).map((file) => (
          <FileRow key={file.path} finish={finish} side={side} file={file} isFree={isFree} />
        ))}
      </ul>
      {(more || files.length > LISTED) && <p className="quiet">The list is incomplete.</p>}
      {hasDiscarded && (
        <p className="quiet" role="status">
          Discarded. A checkpoint has it: restore it under Changes, By turn.
        </p>
      )}
      {elsewhere > 0 && <p className="finish-caution">{elsewhere} more staged outside this folder. A commit includes them.</p>}
    </section>
  );
}

interface FileRowProps {
  readonly finish: FinishStore;
  readonly side: Side;
  readonly file: SideFile;
  readonly isFree: boolean;
}

function FileRow({ finish, side, file, isFree }: FileRowProps) {
  const diff = useStore(finish.store, (state) => state.diffs.get(keyOf(side, file.path)));
  const toggle = () => (diff === undefined ? finish.open(side, file.path) : finish.close(side, file.path));
  return (
    <li className="finish-file">
      <div className="finish-row">
        <button type="button" className="finish-fold" aria-expanded={diff !== undefined} onClick={toggle}>
          {diff === undefined ? <ChevronRight size={14} aria-hidden="true" /> : <ChevronDown size={14} aria-hidden="true" />}
          <span className="review-path">
            <VisibleLine text={file.path} />
          </span>
          {file.state !== 'modified' && <span className="quiet">{file.state === 'untracked' ? 'new' : file.state}</span>}
        </button>
        <button type="button" className="button" disabled={!isFree} onClick={() => void finish.change(MOVE[side], { paths: [file.path] })}>
          {WORDS[side]}
        </button>
      </div>
      {diff !== undefined && <Hunks finish={finish} diff={diff} isFree={isFree} />}
    </li>
  );
}

function Hunks({ finish, diff, isFree }: { readonly finish: FinishStore; readonly diff: SideDiff; readonly isFree: boolean }) {
  const { side, path } = diff;
  const canSplit = diff.canSplit && diff.hunks.length > 1;
  return (
    <div className="finish-hunks">
      {diff.note !== undefined && <p className="quiet">{diff.note}</p>}
      {diff.hunks.map(({ header, sha256, text }) => {
        const hunks = [{ path, header, sha256 }];
        return (
          <div key={`${header} ${sha256}`} className="finish-hunk">
            <div className="finish-row">
              <code className="quiet">{header}</code>
              {canSplit && (
                <span className="finish-acts">
                  {side === 'unstaged' && <Discard finish={finish} isFree={isFree} body={{ hunks }} label="Discard hunk" />}
                  <button type="button" className="button" disabled={!isFree} onClick={() => void finish.change(MOVE[side], { hunks })}>
                    {WORDS[side]} hunk
                  </button>
                </span>
              )}
            </div>
            <DiffView lines={parsePatch(text).slice(1)} />
          </div>
        );
      })}
      {side === 'unstaged' && (
        <div className="finish-acts">
          <Discard finish={finish} isFree={isFree} body={{ paths: [path] }} label="Discard all changes of this file" />
        </div>
      )}
    </div>
  );
}

interface DiscardProps {
  readonly finish: FinishStore;
  readonly isFree: boolean;
  readonly body: StageBody;
  readonly label: string;
}

/** Asks for no confirmation: the server takes a checkpoint first, and the page says how to undo it. */
const Discard = ({ finish, isFree, body, label }: DiscardProps) => (
  <button type="button" className="button plain" disabled={!isFree} onClick={() => void finish.change('discard', body)}>
    {label}
  </button>
);
