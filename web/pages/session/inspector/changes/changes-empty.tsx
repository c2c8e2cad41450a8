import type { WorkingTree } from '../../../../../src/protocol/api/changes.ts';

/** Nothing to review, and why. */
export function ChangesEmpty({ tree }: { readonly tree: WorkingTree | undefined }) {
  if (tree === undefined) {
    return (
      <p className="side-words">
        No tool of this session has told that it changed a file. What commands changed shows under <em>Working tree</em>, where the folder is a git repository.
      </p>
    );
  }
  if (!tree.repository) return <p className="side-words">{tree.reason}</p>;
  return <p className="side-words">The folder is as {tree.base === 'head' ? 'the last commit' : 'the commit at which this session began'} has it.</p>;
}
