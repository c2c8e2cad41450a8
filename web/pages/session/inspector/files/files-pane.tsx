import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useSides } from '../inspector-context.ts';
import { useSideSearch } from '../use-inspector-search.ts';
import { useLastWork } from '../use-last-work.ts';
import './files.css';
import { FileView } from './file-view.tsx';
import { openFolders } from './folder-store.ts';
import { FolderTree } from './folder-tree.tsx';

/** The working folder: its tree, and the file that the address names. */
export default function FilesPane() {
  const { api, sessionId } = useSides();
  const [folders] = useState(() => openFolders(api));
  const [{ path }, change] = useSideSearch();
  const work = useLastWork(sessionId);
  const state = useStore(folders.store);
  useEffect(() => void folders.show(path), [folders, path]);
  useEffect(() => void (work > 0 && folders.store.getState().roots !== undefined && folders.refresh()), [folders, work]);
  const choose = (chosen: string) => change({ path: chosen }, { replace: false });
  return (
    <section className={state.shown === undefined ? 'files' : 'files with-file'} aria-label="Files">
      <div role="alert">{state.problem !== undefined && <p className="form-problem">{state.problem}</p>}</div>
      {state.roots === undefined && state.problem === undefined && <p className="side-words">Looking…</p>}
      {state.roots !== undefined && <FolderTree state={state} onToggle={folders.toggle} onChoose={choose} />}
      {state.shown !== undefined && <FileView shown={state.shown} root={state.roots?.[0] ?? ''} onClose={() => change({ path: '' }, { replace: false })} />}
    </section>
  );
}
