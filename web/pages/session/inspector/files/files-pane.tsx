import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useInspector } from '../inspector-context.ts';
import { useInspectorSearch } from '../use-inspector-search.ts';
import { useLastFileEvent } from '../use-last-file-event.ts';
import './files.css';
import { FileView } from './file-view.tsx';
import { openFolders } from './folder-store.ts';
import { FolderTree } from './folder-tree.tsx';

/** The working folder: its tree, and the file named in the address. */
export default function FilesPane() {
  const { api, sessionId } = useInspector();
  const [folders] = useState(() => openFolders(api));
  const [{ path }, change] = useInspectorSearch();
  const work = useLastFileEvent(sessionId);
  const state = useStore(folders.store);
  useEffect(() => void folders.show(path), [folders, path]);
  useEffect(() => void (work > 0 && folders.store.getState().roots !== undefined && folders.refresh()), [folders, work]);
  const choose = (chosen: string) => change({ path: chosen }, { replace: false });
  return (
    <section className={state.shown === undefined ? 'files' : 'files with-file'} aria-label="Files">
      <div role="alert">{state.problem !== undefined && <p className="form-problem">{state.problem}</p>}</div>
      {state.roots === undefined && state.problem === undefined && <p className="side-words">Loading…</p>}
      {state.roots !== undefined && <FolderTree state={state} onToggle={folders.toggle} onChoose={choose} />}
      {state.shown !== undefined && <FileView shown={state.shown} root={state.roots?.[0] ?? ''} onClose={() => change({ path: '' }, { replace: false })} />}
    </section>
  );
}
