import { answersOf, callsOf, type Entry } from './entry.ts';
import { isKnownKind } from './line-kinds.ts';

/**
 * The conversation as the CLI itself would continue it: from the last line back through its parents, and across a compaction to what came before.
 * The order in the file isn't the order of the conversation: resuming at a message, or two writers, leave abandoned branches.
 */
export function activeBranch(entries: readonly Entry[]): readonly Entry[] {
  const tree = entries.filter(isInTree);
  const branch = walkBack(tree);
  const strays = [...rescued(tree, branch), ...entries.filter((entry) => !isKnownKind(entry))];
  return inOrder(
    branch,
    strays.sort((a, b) => a.index - b.index),
  );
}

const isInTree = ({ line }: Entry): boolean => line?.uuid !== undefined && line.parentUuid !== undefined && !line.isSidechain;

function walkBack(tree: readonly Entry[]): readonly Entry[] {
  const byId = new Map(tree.map((entry) => [entry.line?.uuid, entry]));
  const branch = new Set<Entry>();
  let at = tree.at(-1);
  while (at !== undefined && !branch.has(at)) {
    branch.add(at);
    const before: string | null | undefined = at.line?.parentUuid ?? at.line?.logicalParentUuid;
    at = before ? byId.get(before) : undefined;
  }
  return [...branch].reverse();
}

/** When tools run in parallel, only the last result is a parent of the next line; the other results are off the branch (2.1.197). */
function rescued(tree: readonly Entry[], branch: readonly Entry[]): readonly Entry[] {
  const onBranch = new Set(branch);
  const answered = new Set(branch.flatMap(answersOf));
  const open = new Set(branch.flatMap(callsOf).filter((call) => !answered.has(call)));
  return tree.filter((entry) => !onBranch.has(entry) && answersOf(entry).some((call) => open.has(call)));
}

/** Puts each stray before the first line of the branch that was written after it. */
function inOrder(branch: readonly Entry[], strays: readonly Entry[]): readonly Entry[] {
  const ordered: Entry[] = [];
  let next = 0;
  for (const entry of branch) {
    for (let stray = strays[next]; stray !== undefined && stray.index < entry.index; stray = strays[next]) {
      ordered.push(stray);
      next += 1;
    }
    ordered.push(entry);
  }
  return [...ordered, ...strays.slice(next)];
}
