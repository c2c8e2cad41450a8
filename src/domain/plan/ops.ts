import type { PlanState } from '../../protocol/api/plan.ts';
import type { NodeId, PlanHead, PlanNode, PlanOp } from '../../protocol/plan.ts';
import { type GraphProblem, graphProblem } from './graph.ts';

/** What a plan is made of, without what happened to it. */
export interface PlanShape {
  readonly head: PlanHead;
  readonly nodes: readonly PlanNode[];
}

export const isProblem = (value: PlanShape | GraphProblem): value is GraphProblem => 'message' in value;

/** A started step can't be changed: its agent already works on what it was told. */
export const startedNodes = ({ nodes }: Pick<PlanState, 'nodes'>): ReadonlySet<NodeId> =>
  new Set(nodes.flatMap(({ id, status, attempts }) => (attempts.length > 0 || status === 'done' || status === 'skipped' || status === 'waiting' ? [id] : [])));

/** All of these changes, or what is wrong with the first one that doesn't work. */
export function applyOps(shape: PlanShape, ops: readonly PlanOp[], started: ReadonlySet<NodeId>): PlanShape | GraphProblem {
  let next = shape;
  for (const op of ops) {
    const changed = applyOp(next, op, started);
    if (isProblem(changed)) return changed;
    next = changed;
  }
  return graphProblem(next.nodes) ?? next;
}

function applyOp(shape: PlanShape, op: PlanOp, started: ReadonlySet<NodeId>): PlanShape | GraphProblem {
  switch (op.op) {
    case 'add':
      return added(shape, op.node);
    case 'insert_between':
    case 'INSERT_BETWEEN':
      return insertBetween(shape, op, started);
    case 'add_sibling':
    case 'ADD_SIBLING': {
      const of = nodeIn(shape, op.of);
      return of === undefined ? unknown(op.of) : added(shape, { ...op.node, needs: [...of.needs] });
    }
    case 'remove':
      return refused(shape, op.node, started, 'removed') ?? removed(shape, op.node);
    case 'rewire':
      return refused(shape, op.node, started, 'given new needs') ?? changed(shape, op.node, { needs: op.needs });
    case 'edit':
      return refused(shape, op.node, started, 'edited') ?? changed(shape, op.node, op.set);
    case 'set':
      return { ...shape, head: { ...shape.head, ...op.set } };
  }
}

const nodeIn = ({ nodes }: PlanShape, id: NodeId): PlanNode | undefined => nodes.find((node) => node.id === id);

const unknown = (id: NodeId): GraphProblem => ({ node: id, message: `There is no step "${id}" in this plan.` });

function refused(shape: PlanShape, id: NodeId, started: ReadonlySet<NodeId>, what: string): GraphProblem | undefined {
  if (nodeIn(shape, id) === undefined) return unknown(id);
  return started.has(id) ? { node: id, message: `The step "${id}" has started and can't be ${what}. Add a new step instead.` } : undefined;
}

function added(shape: PlanShape, node: PlanNode): PlanShape | GraphProblem {
  if (nodeIn(shape, node.id) !== undefined) return { node: node.id, message: `There is already a step "${node.id}".` };
  return { ...shape, nodes: [...shape.nodes, node] };
}

function changed(shape: PlanShape, id: NodeId, change: Partial<PlanNode>): PlanShape {
  return { ...shape, nodes: shape.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)) };
}

/** Steps that needed it now need what it needed. */
function removed({ head, nodes }: PlanShape, id: NodeId): PlanShape {
  const gone = nodes.find((node) => node.id === id);
  const rest = nodes.filter((node) => node.id !== id);
  const bridged = (needs: readonly NodeId[]): NodeId[] => [...new Set(needs.flatMap((need) => (need === id ? (gone?.needs ?? []) : [need])))];
  return { head, nodes: rest.map((node) => (node.needs.includes(id) ? { ...node, needs: bridged(node.needs) } : node)) };
}

/** `to` then needs the new step instead of `from`. */
function insertBetween(
  shape: PlanShape,
  { node, from, to }: { readonly node: PlanNode; readonly from: NodeId; readonly to: NodeId },
  started: ReadonlySet<NodeId>,
): PlanShape | GraphProblem {
  const [before, after] = [nodeIn(shape, from), nodeIn(shape, to)];
  if (before === undefined) return unknown(from);
  if (after === undefined) return unknown(to);
  const late = refused(shape, to, started, 'given new needs');
  if (late !== undefined) return late;
  const next = added(shape, { ...node, needs: [...new Set([...node.needs, from])] });
  if (isProblem(next)) return next;
  return changed(next, to, { needs: [...after.needs.filter((need) => need !== from), node.id] });
}
