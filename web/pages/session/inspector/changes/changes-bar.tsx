import { Columns2, Rows2 } from 'lucide-react';
import { countText } from '../../../../base/text/format.ts';
import type { ReviewState } from '../review-store.ts';
import { useInspectorSearch } from '../use-inspector-search.ts';

/** Source of the changes, what they are compared with, and the layout. */
export function ChangesBar({ state }: { readonly state: ReviewState }) {
  const [{ from, view }, change] = useInspectorSearch();
  const isTree = from === 'tree';
  const isTurns = from === 'turns';
  return (
    <div className="changes-bar">
      {/* biome-ignore lint/a11y/useSemanticElements: some browsers draw a fieldset with a border */}
      <div className="side-choice" role="group" aria-label="Source of the changes">
        <button type="button" aria-pressed={!isTree && !isTurns} onClick={() => change({ from: '', base: '', path: '' })}>
          Agent’s edits
        </button>
        <button type="button" aria-pressed={isTurns} onClick={() => change({ from: 'turns', base: '', path: '' })}>
          By turn
        </button>
        <button type="button" aria-pressed={isTree} onClick={() => change({ from: 'tree', path: '' })}>
          Working tree
        </button>
      </div>
      <p className="changes-sum" role="status">
        {state.files !== undefined && countText(state.files.length, 'file')}
        {state.additions !== undefined && (
          <span className="diff-count">
            <span className="added">+{state.additions}</span> <span className="deleted">−{state.deletions}</span>
          </span>
        )}
      </p>
      {isTree && <TreeBar state={state} />}
      {!isTurns && (
        <button
          type="button"
          className="icon-button"
          aria-label={view === 'split' ? 'Unified view' : 'Split view'}
          onClick={() => change({ view: view === 'split' ? '' : 'split' })}
        >
          {view === 'split' ? <Rows2 size={15} aria-hidden="true" /> : <Columns2 size={15} aria-hidden="true" />}
        </button>
      )}
    </div>
  );
}

function TreeBar({ state: { tree } }: { readonly state: ReviewState }) {
  const [{ base }, change] = useInspectorSearch();
  if (tree?.repository !== true) return null;
  return (
    <span className="tree-bar">
      <label>
        <span className="quiet">since</span>{' '}
        <select value={base ?? 'head'} onChange={(event) => change({ base: event.target.value === 'start' ? 'start' : '' })}>
          <option value="head">the last commit</option>
          <option value="start" disabled={!tree.startKnown}>
            {tree.startKnown ? 'this session started' : 'this session started (no longer in git)'}
          </option>
        </select>
      </label>
      <span className="quiet">
        {tree.branch ?? 'No branch'}
        {tree.commit !== undefined && <code> {tree.commit.slice(0, 8)}</code>}
        {tree.more && ', list is incomplete'}
      </span>
    </span>
  );
}
