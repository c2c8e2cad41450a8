import type { WorkingTree } from '../../../../../src/protocol/api/changes.ts';

/** Why there are no changes to show. */
export function ChangesEmpty({ tree }: { readonly tree: WorkingTree | undefined }) {
  if (tree === undefined) {
    return (
      <p className="side-words">
        The agent’s tools have not reported any changed files. Files changed by commands appear under <em>By turn</em>.
      </p>
    );
  }
  if (!tree.repository) return <p className="side-words">{tree.reason}</p>;
  return <p className="side-words">No changes since {tree.base === 'head' ? 'the last commit' : 'the commit this session started from'}.</p>;
}
