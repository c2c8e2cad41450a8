import { Columns2, Rows2 } from 'lucide-react';
import { countText } from '../../../../base/words/words.ts';
import type { ReviewState } from '../review-store.ts';
import { useSideSearch } from '../use-inspector-search.ts';

/** Who tells of the changes, against what, and how they are drawn. */
export function ChangesBar({ state }: { readonly state: ReviewState }) {
  const [{ from, view }, change] = useSideSearch();
  const isTree = from === 'tree';
  return (
    <div className="changes-bar">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn with a frame by some browsers */}
      <div className="side-choice" role="group" aria-label="Who tells of the changes">
        <button type="button" aria-pressed={!isTree} onClick={() => change({ from: '', base: '', path: '' })}>
          By tools
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
      <button
        type="button"
        className="icon-button"
        aria-label={view === 'split' ? 'Show old and new in one column' : 'Show old and new side by side'}
        onClick={() => change({ view: view === 'split' ? '' : 'split' })}
      >
        {view === 'split' ? <Rows2 size={15} aria-hidden="true" /> : <Columns2 size={15} aria-hidden="true" />}
      </button>
    </div>
  );
}

function TreeBar({ state: { tree } }: { readonly state: ReviewState }) {
  const [{ base }, change] = useSideSearch();
  if (tree?.repository !== true) return null;
  return (
    <span className="tree-bar">
      <label>
        <span className="quiet">since</span>{' '}
        <select value={base ?? 'head'} onChange={(event) => change({ base: event.target.value === 'start' ? 'start' : '' })}>
          <option value="head">the last commit</option>
          <option value="start" disabled={!tree.startKnown}>
            {tree.startKnown ? 'this session began' : 'this session began (git does not remember)'}
          </option>
        </select>
      </label>
      <span className="quiet">
        {tree.branch ?? 'no branch'}
        {tree.commit !== undefined && <code> {tree.commit.slice(0, 8)}</code>}
        {tree.more && ', more than are listed'}
      </span>
    </span>
  );
}
