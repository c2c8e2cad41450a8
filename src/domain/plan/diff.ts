import type { PlanDiff } from '../../protocol/api/plan.ts';
import type { PlanNode } from '../../protocol/plan.ts';
import type { PlanShape } from './ops.ts';

/** What a change does to a plan, as people look at it. */
export function diffPlans(before: PlanShape, after: PlanShape): PlanDiff {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const kept = new Set(after.nodes.map(({ id }) => id));
  const both = after.nodes.flatMap((node) => {
    const was = old.get(node.id);
    return was === undefined ? [] : [{ was, node }];
  });
  return {
    added: after.nodes.filter(({ id }) => !old.has(id)).map(specOf),
    removed: before.nodes.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
    rewired: both.flatMap(({ was, node }) => (isSame(was.needs, node.needs) ? [] : [{ node: node.id, before: [...was.needs], after: [...node.needs] }])),
    edited: both.flatMap(({ was, node }) => {
      const fields = changedFields(specOf(was), specOf(node)).filter((field) => field !== 'needs');
      return fields.length === 0 ? [] : [{ node: node.id, fields }];
    }),
    plan: changedFields(before.head, after.head),
  };
}

/** A step without what happened to it. */
export function specOf(node: PlanNode): PlanNode {
  const fields = Object.entries(node).filter(([name]) => !HAPPENED.has(name));
  // Only fields of a step are left.
  return Object.fromEntries(fields) as PlanNode;
}

const HAPPENED: ReadonlySet<string> = new Set(['status', 'attempts', 'summary', 'reason', 'words', 'promptBlob']);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function changedFields(before: object, after: object): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => !isSame(old.get(name), now.get(name)));
}
