import type { RevertPreview } from '../../../src/protocol/api/checkpoints.ts';
import { countText } from '../../base/text/format.ts';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import './revert.css';

type PlannedFile = RevertPreview['files'][number];

interface RevertFilesProps {
  readonly preview: RevertPreview;
  readonly chosen: ReadonlySet<string>;
  readonly forced: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly onForce: (forced: ReadonlySet<string>) => void;
}

/** Every file that differs, what would happen to it, and what is not covered. */
export function RevertFiles({ preview, chosen, forced, onChoose, onForce }: RevertFilesProps) {
  const toggle = (file: PlannedFile, isOn: boolean) => {
    onChoose(changed(chosen, file.path, isOn));
    // A refused file is restored only if the person ticks it themselves.
    if (file.refused !== undefined) onForce(changed(forced, file.path, isOn));
  };
  const row = (file: PlannedFile) => <FileRow key={file.path} file={file} isChosen={chosen.has(file.path)} onToggle={toggle} />;
  return (
    <div className="rewind-list">
      {preview.files.length === 0 ? <p>Nothing that this session changed differs from then.</p> : <ul className="revert-files">{preview.files.map(row)}</ul>}
      {preview.filesMore !== undefined && <p className="quiet">and {countText(preview.filesMore, 'more file')}</p>}
      {preview.others.length > 0 && (
        <details className="revert-others">
          <summary>{countText(preview.others.length + (preview.othersMore ?? 0), 'other file')} also changed, but not by this session</summary>
          <ul className="revert-files">{preview.others.map(row)}</ul>
        </details>
      )}
      <p className="quiet revert-limits">
        Not covered: ignored files, contents of submodules and nested repositories, and files outside the session’s folder.
        {preview.left.length > 0 && ` Also not in this checkpoint: ${preview.left.map(({ path, why }) => `${path} (${why})`).join(', ')}.`}
      </p>
    </div>
  );
}

function changed(before: ReadonlySet<string>, path: string, isOn: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (isOn) after.add(path);
  else after.delete(path);
  return after;
}

interface FileRowProps {
  readonly file: PlannedFile;
  readonly isChosen: boolean;
  readonly onToggle: (file: PlannedFile, isOn: boolean) => void;
}

function FileRow({ file, isChosen, onToggle }: FileRowProps) {
  const isFixed = file.refused !== undefined && file.canForce !== true;
  return (
    <li>
      <label>
        <input type="checkbox" checked={isChosen} disabled={isFixed} onChange={(event) => onToggle(file, event.target.checked)} />
        <span className="revert-path">
          <VisibleLine text={file.path} />
        </span>
        <span className={file.action === 'delete' ? 'revert-delete' : 'quiet'}>{file.action === 'delete' ? 'delete' : 'restore'}</span>
      </label>
      {file.refused !== undefined && (
        <p className="revert-why">
          {file.refused}
          {file.canForce && ' Tick it to overwrite it anyway; the current version is kept for Undo.'}
        </p>
      )}
    </li>
  );
}
