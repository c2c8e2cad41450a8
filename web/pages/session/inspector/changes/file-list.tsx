import { useEffect, useRef } from 'react';
import { shownPath } from '../../../../../src/domain/changes/path.ts';
import { countText } from '../../../../base/text/format.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import type { ReviewFile } from '../review-store.ts';

/** More files are not listed; the diff below has them all. */
const LISTED = 300;

interface FileListProps {
  readonly files: readonly ReviewFile[];
  readonly cwd: string;
  readonly current: string | undefined;
  readonly onChoose: (path: string) => void;
}

export function FileList({ files, cwd, current, onChoose }: FileListProps) {
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the current file changes
  useEffect(() => void list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [current]);
  return (
    <ul ref={list} className="review-files" aria-label="Files">
      {files.slice(0, LISTED).map((file) => (
        <li key={file.path}>
          <button type="button" className="review-file" aria-current={file.path === current ? 'true' : undefined} onClick={() => onChoose(file.path)}>
            <span className="review-path">
              <VisibleLine text={shownPath(cwd, file.path)} />
            </span>
            {file.status !== 'edited' && file.status !== 'modified' && <span className="quiet review-words">{file.status}</span>}
            <FileCount file={file} />
          </button>
        </li>
      ))}
      {files.length > LISTED && <li className="side-words">{countText(files.length - LISTED, 'more file')} below</li>}
    </ul>
  );
}

export function FileCount({ file }: { readonly file: ReviewFile }) {
  if (file.additions === undefined) return null;
  return (
    <span className="diff-count">
      <span className="added">+{file.additions}</span> <span className="deleted">−{file.deletions}</span>
    </span>
  );
}
