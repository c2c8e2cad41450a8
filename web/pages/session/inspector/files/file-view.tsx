import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { shownPath } from '../../../../../src/domain/changes/path.ts';
import { momentText, sizeText } from '../../../../base/text/format.ts';
import { TextBoundary } from '../../../../base/ui/plain-text.tsx';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { withOperator } from '../../../../parts/address/search-address.ts';
import { CopyButton } from '../../../../parts/common/copy-button.tsx';
import { FetchedImage } from '../../../../parts/common/fetched-image.tsx';
import { useInspector } from '../inspector-context.ts';
import type { FolderState, ShownFile } from './folder-store.ts';
import { TextView } from './text-view.tsx';

interface FileViewProps {
  readonly shown: NonNullable<FolderState['shown']>;
  readonly root: string;
  readonly onClose: () => void;
}

export function FileView({ shown, root, onClose }: FileViewProps) {
  const { file } = shown;
  const path = shownPath(root, file?.path ?? shown.path);
  return (
    <section className="file-view" aria-label={path}>
      <header className="file-head">
        <span className="file-path">
          <VisibleLine text={path} />
        </span>
        {file !== undefined && (
          <span className="quiet">
            {sizeText(file.bytes)}, {momentText(file.changedAt)}
          </span>
        )}
        <button type="button" className="icon-button" aria-label="Close file" onClick={onClose}>
          <X size={15} aria-hidden="true" />
        </button>
      </header>
      {shown.problem !== undefined && <p className="side-words">{shown.problem}</p>}
      {file !== undefined && <FileBody file={file} path={path} />}
    </section>
  );
}

function FileBody({ file, path }: { readonly file: ShownFile; readonly path: string }) {
  const { api } = useInspector();
  return (
    <>
      <p className="file-links">
        <Link to="/search" search={{ q: withOperator('', 'path', path) }} className="text-button">
          Sessions that touched this file
        </Link>
        {file.text !== undefined && !file.cut && <CopyButton text={file.text} />}
      </p>
      {file.cut && <p className="file-cut">Showing the first {sizeText(file.text?.length ?? 0)} of a larger file.</p>}
      {file.content === 'text' && (
        <TextBoundary of={file} text={() => file.text ?? ''}>
          <TextView text={file.text ?? ''} path={path} />
        </TextBoundary>
      )}
      {file.content === 'image' && (
        <div className="file-image">
          <FetchedImage path={api.imageAddress(file.path)} alt={path} />
        </div>
      )}
      {file.content === 'binary' && <p className="side-words">This file can’t be shown: it is neither text nor a supported image.</p>}
    </>
  );
}
