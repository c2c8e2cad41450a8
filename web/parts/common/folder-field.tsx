import { useEffect, useMemo } from 'react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { recentFolders } from '../../store/sessions/deck.ts';
import { FolderBrowser } from './folder-browser.tsx';

interface FolderFieldProps {
  readonly value: string;
  readonly onChange: (cwd: string) => void;
}

const SHOWN = 5;

/** Where the agent works: typed, a recent folder, or found by browsing. */
export function FolderField({ value, onChange }: FolderFieldProps) {
  const cockpit = useCockpit();
  const sessions = useApp((state) => state.sessions);
  const recent = useMemo(() => recentFolders(sessions.values(), SHOWN), [sessions]);
  useEffect(() => void cockpit.loadFolders(value === '' ? undefined : value), [cockpit, value]);
  return (
    <div className="field">
      <label htmlFor="new-cwd">Project folder</label>
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
      {recent.length > 1 && (
        <div className="folder-chips">
          {recent.map((folder) => (
            <button key={folder} type="button" className="chip" onClick={() => onChange(folder)}>
              {folder}
            </button>
          ))}
        </div>
      )}
      <FolderBrowser onChoose={onChange} />
    </div>
  );
}
