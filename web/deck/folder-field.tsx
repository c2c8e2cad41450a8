import { useMemo } from 'react';
import { useApp } from '../app/cockpit-context.ts';
import { recentFolders } from '../store/deck.ts';

interface FolderFieldProps {
  readonly value: string;
  readonly onChange: (cwd: string) => void;
}

const SHOWN = 5;

export function FolderField({ value, onChange }: FolderFieldProps) {
  const sessions = useApp((state) => state.sessions);
  const folders = useMemo(() => recentFolders(sessions.values(), SHOWN), [sessions]);
  return (
    <div className="field">
      <label htmlFor="new-cwd">Folder on the server</label>
      <input
        id="new-cwd"
        data-first={value === '' ? true : undefined}
        className="mono"
        value={value}
        spellCheck={false}
        autoCapitalize="off"
        placeholder="/home/you/project"
        onChange={(event) => onChange(event.target.value)}
      />
      {folders.length > 0 && (
        <div className="folder-chips">
          {folders.map((folder) => (
            <button key={folder} type="button" className="chip" onClick={() => onChange(folder)}>
              {folder}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
