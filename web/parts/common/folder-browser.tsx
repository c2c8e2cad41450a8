import { CornerLeftUp, Folder, FolderGit2 } from 'lucide-react';
import { useApp } from '../../store/cockpit-context.ts';

/** The subfolders of the chosen folder. */
export function FolderBrowser({ onChoose }: { readonly onChoose: (path: string) => void }) {
  const list = useApp((state) => state.folders);
  if (list === undefined || (list.folders.length === 0 && list.parent === undefined)) return null;
  const { parent } = list;
  return (
    <details className="folder-browser">
      <summary>Browse{list.path === undefined ? '' : ` ${list.path}`}</summary>
      <ul>
        {parent !== undefined && (
          <li>
            <button type="button" className="folder" onClick={() => onChoose(parent)}>
              <CornerLeftUp size={14} aria-hidden="true" /> Up to {parent}
            </button>
          </li>
        )}
        {list.folders.map((folder) => (
          <li key={folder.path}>
            <button type="button" className="folder" onClick={() => onChoose(folder.path)}>
              {folder.isRepository ? <FolderGit2 size={14} aria-label="Git repository" /> : <Folder size={14} aria-hidden="true" />} {folder.name}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
