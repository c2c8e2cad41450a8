import type { PastNode } from '../../agents/port/archive.ts';
import { IDENTITY_BYTES, type Identity, nodeIdentity } from './identity.ts';

/** One branch of a conversation, as far as it was read. */
export interface BranchState {
  readonly branch: number;
  readonly from?: { readonly branch: number; readonly seq: number };
  lastSeq: number;
  /** Milliseconds since 1970. */
  at?: number;
  /** How many events are its own. */
  events: number;
  title?: string;
  /** The last line, and parallel results next to it: a line that follows one of them stays in this branch. */
  tips: string[];
}

/** Where a known line is. */
export interface Known {
  readonly seq: number;
  readonly given: number;
  readonly branch: number;
}

/** Parallel results at one point; more don't occur, and a line that follows one beyond this limit opens a branch. */
const TIPS = 64;

/** The branches of one session, and which one the agent would continue. */
export class Branching {
  /** Nearly every line follows the one before it. */
  private last: { readonly id: string; readonly identity: Identity } | undefined;

  constructor(
    private readonly branches: Map<number, BranchState>,
    public active: number,
    private readonly find: (identity: Identity) => Known | undefined,
  ) {}

  /** The branch of a line of the main conversation, which becomes its tip. */
  place(node: PastNode, identity: Identity): BranchState {
    const branch = this.branchOf(node);
    const tip = identity.toString('latin1');
    this.last = { id: node.id, identity };
    branch.tips = node.joins ? [...branch.tips, tip].slice(-TIPS) : [tip];
    this.active = branch.branch;
    return branch;
  }

  /** The branch of lines that are not in the tree. */
  current(): BranchState {
    return this.branches.get(this.active) ?? this.open(undefined);
  }

  at(branch: number): BranchState {
    return this.branches.get(branch) ?? this.current();
  }

  private branchOf(node: PastNode): BranchState {
    if (node.parent === null) return this.current().tips.length === 0 ? this.current() : this.open(undefined);
    const parent = node.parent === this.last?.id ? this.last.identity : nodeIdentity(node.parent);
    const tip = parent.toString('latin1');
    const current = this.current();
    if (current.tips.includes(tip)) return current;
    const known = this.find(parent);
    // A line whose parent was lost follows the line before it.
    if (known === undefined) return current;
    const branch = this.at(known.branch);
    if (node.joins || branch.tips.includes(tip)) return branch;
    return this.open({ branch: known.branch, seq: known.given === 0 ? known.seq : known.seq + known.given - 1 });
  }

  private open(from: BranchState['from']): BranchState {
    const opened: BranchState = { branch: this.branches.size + 1, ...(from && { from }), lastSeq: from?.seq ?? 0, events: 0, tips: [] };
    this.branches.set(opened.branch, opened);
    this.active = opened.branch;
    return opened;
  }
}

export const packTips = (tips: readonly string[]): Buffer => Buffer.from(tips.join(''), 'latin1');

export function unpackTips(packed: Uint8Array): string[] {
  const text = Buffer.from(packed).toString('latin1');
  return Array.from({ length: text.length / IDENTITY_BYTES }, (_, index) => text.slice(index * IDENTITY_BYTES, (index + 1) * IDENTITY_BYTES));
}

/** The branches that lead to the end of `branch`, first to last, and the event up to which each is followed. */
export function branchPath(
  branches: ReadonlyMap<number, Pick<BranchState, 'from'>>,
  branch: number,
): readonly { readonly branch: number; readonly upTo: number }[] {
  const path: { branch: number; upTo: number }[] = [];
  let next: { branch: number; seq: number } | undefined = { branch, seq: Number.MAX_SAFE_INTEGER };
  while (next !== undefined && path.length <= branches.size) {
    path.unshift({ branch: next.branch, upTo: Math.min(next.seq, path[0]?.upTo ?? next.seq) });
    next = branches.get(next.branch)?.from;
  }
  return path;
}
