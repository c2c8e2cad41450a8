import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { recentFolders } from '../../store/sessions/deck.ts';
import { FolderBrowser } from './folder-browser.tsx';

interface FolderFieldProps {
  readonly value: string;
  /** Another machine, whose folders are offered. */
  readonly node?: string | undefined;
  readonly onChange: (cwd: string) => void;
}

const SHOWN = 5;

/** Where the agent works: typed, a recent folder, or found by browsing. */
export function FolderField({ value, node, onChange }: FolderFieldProps) {
  const cockpit = useCockpit();
  const sessions = useApp((state) => state.sessions);
  const own = useApp(({ machines }) => machines?.nodes.find(({ state }) => state === 'here')?.id);
  const there = node ?? own;
  const recent = useMemo(
    () =>
      recentFolders(
        [...sessions.values()].filter((session) => there === undefined || session.node === there),
        SHOWN,
      ),
    [sessions, there],
  );
  // A default that arrives while the field has the focus is selected, so that typing replaces it instead of adding to it.
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef(value);
  useLayoutEffect(() => {
    if (value !== typed.current && document.activeElement === field.current) field.current?.select();
    typed.current = value;
  }, [value]);
  useEffect(() => void cockpit.loadFolders(value === '' ? undefined : value, node), [cockpit, value, node]);
  return (
    <div className="field">
      <label htmlFor="new-cwd">Project folder</label>
      <input
        ref={field}
        id="new-cwd"
        data-first={value === '' ? true : undefined}
        className="mono"
        value={value}
        spellCheck={false}
        autoCapitalize="off"
        placeholder="/home/you/project"
        onChange={(event) => {
          typed.current = event.target.value;
          onChange(event.target.value);
        }}
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
