import { LIMITS } from '../../protocol/limits.ts';
import type { NodeId, PlanNode } from '../../protocol/plan.ts';

export const MOST_NODES = 200;

/** What is wrong with a graph, and at which step. */
export interface GraphProblem {
  readonly node?: NodeId;
  readonly message: string;
}

type Linked = Pick<PlanNode, 'id' | 'needs'>;

/** The first thing that is wrong with these steps; undefined if nothing is. */
export function graphProblem(nodes: readonly PlanNode[]): GraphProblem | undefined {
  if (nodes.length > MOST_NODES) return { message: `A plan can have at most ${MOST_NODES} steps; this one would have ${nodes.length}.` };
  const ids = new Set<NodeId>();
  for (const { id } of nodes) {
    if (ids.has(id)) return { node: id, message: `There are two steps "${id}". Give each its own id.` };
    ids.add(id);
  }
  for (const node of nodes) {
    const problem = promptProblem(node) ?? needsProblem(node, ids);
    if (problem !== undefined) return { node: node.id, message: problem };
  }
  const inCycle = cycleIn(nodes);
  return inCycle === undefined ? undefined : { node: inCycle[0], message: `These steps wait for each other: ${inCycle.join(' → ')}. Remove one of the needs.` };
}

function promptProblem({ id, kind, prompt }: PlanNode): string | undefined {
  if (prompt.trim() === '' && kind !== 'gate') return `The step "${id}" has no prompt. Say what it should do.`;
  const isLong = prompt.length > LIMITS.messageTextBytes || new TextEncoder().encode(prompt).length > LIMITS.messageTextBytes;
  return isLong ? `The prompt of the step "${id}" is longer than ${LIMITS.messageTextBytes} bytes.` : undefined;
}

function needsProblem({ id, needs }: PlanNode, ids: ReadonlySet<NodeId>): string | undefined {
  if (needs.includes(id)) return `The step "${id}" needs itself.`;
  const unknown = needs.find((need) => !ids.has(need));
  if (unknown !== undefined) return `The step "${id}" needs "${unknown}", which is not a step of this plan.`;
  return new Set(needs).size < needs.length ? `The step "${id}" names a need twice.` : undefined;
}

/** One cycle, with its first step repeated at the end. */
function cycleIn(nodes: readonly Linked[]): readonly [NodeId, ...NodeId[]] | undefined {
  const left = new Map(nodes.map(({ id, needs }) => [id, needs]));
  for (let found = true; found; ) {
    found = false;
    for (const [id, needs] of left) {
      if (needs.some((need) => left.has(need))) continue;
      left.delete(id);
      found = true;
    }
  }
  const [start] = left.keys();
  if (start === undefined) return undefined;
  const path = [start];
  for (let at = start; ; ) {
    const next = left.get(at)?.find((need) => left.has(need));
    if (next === undefined) return undefined;
    const seen = path.indexOf(next);
    if (seen >= 0) return [next, ...path.slice(seen).reverse()];
    path.push(next);
    at = next;
  }
}

/** Every step that needs this one, directly or through others. */
export function dependentsOf(nodes: readonly Linked[], id: NodeId): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  const queue = [id];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const node of nodes) {
      if (found.has(node.id) || !node.needs.includes(at)) continue;
      found.add(node.id);
      queue.push(node.id);
    }
  }
  return found;
}

/** How many steps follow each one on its longest way to the end: what a plan waits for longest is started first. */
export function lengthsToEnd(nodes: readonly Linked[]): ReadonlyMap<NodeId, number> {
  const lengths = new Map<NodeId, number>();
  const dependents = new Map<NodeId, NodeId[]>();
  for (const { id, needs } of nodes) for (const need of needs) dependents.set(need, [...(dependents.get(need) ?? []), id]);
  const lengthOf = (id: NodeId): number => {
    const known = lengths.get(id);
    if (known !== undefined) return known;
    const length = 1 + Math.max(0, ...(dependents.get(id) ?? []).map(lengthOf));
    lengths.set(id, length);
    return length;
  };
  for (const { id } of nodes) lengthOf(id);
  return lengths;
}

/** The longest chain of steps, first to last. */
export function criticalPath(nodes: readonly Linked[]): readonly NodeId[] {
  const lengths = lengthsToEnd(nodes);
  const longest = (ids: readonly NodeId[]): NodeId | undefined => [...ids].sort((a, b) => (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0))[0];
  const path: NodeId[] = [];
  let at = longest(nodes.filter(({ needs }) => needs.length === 0).map(({ id }) => id));
  while (at !== undefined) {
    const from = at;
    path.push(from);
    at = longest(nodes.filter(({ needs }) => needs.includes(from)).map(({ id }) => id));
  }
  return path;
}
