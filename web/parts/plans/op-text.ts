import type { Budget, PlanNode, PlanOp } from '../../../src/protocol/plan.ts';
import { costText, countText } from '../../base/text/format.ts';

/** What one change of a plan does, as one line. `titleOf` gives a step's title as it was before. */
export function opText(op: PlanOp, titleOf: (id: string) => string): string {
  const named = (id: string): string => `“${titleOf(id)}”`;
  switch (op.op) {
    case 'add':
      return `Adds “${op.node.title}”${op.node.needs.length === 0 ? '' : ` after ${listText(op.node.needs.map(named))}`}`;
    case 'insert_between':
    case 'INSERT_BETWEEN':
      return `Inserts “${op.node.title}” between ${named(op.from)} and ${named(op.to)}`;
    case 'add_sibling':
    case 'ADD_SIBLING':
      return `Adds “${op.node.title}” next to ${named(op.of)}`;
    case 'remove':
      return `Removes ${named(op.node)}`;
    case 'rewire':
      return `${named(op.node)} now needs ${op.needs.length === 0 ? 'nothing' : listText(op.needs.map(named))}`;
    case 'edit':
      return `Changes the ${listText(Object.keys(op.set).map((field) => FIELD_WORDS[field] ?? field))} of ${named(op.node)}`;
    case 'set':
      return `Sets the plan’s ${listText(Object.entries(op.set).map(([field, value]) => headText(field, value)))}`;
  }
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  title: 'title',
  prompt: 'prompt',
  kind: 'kind',
  agent: 'agent',
  model: 'model',
  permissionMode: 'permissions',
  group: 'group',
  worktree: 'worktree',
  merge: 'merge',
  verify: 'check',
  fix: 'fix rounds',
  timeLimitMinutes: 'time limit',
  notes: 'notes',
  tags: 'tags',
};

const HEAD_WORDS: Readonly<Record<string, string>> = { title: 'title', goal: 'goal', defaults: 'defaults', template: 'kind' };

function headText(field: string, value: unknown): string {
  if (field === 'budget') return `budget to ${budgetText(isBudget(value) ? value : {})}`;
  if (field === 'parallel') return `steps at once to ${String(value)}`;
  return HEAD_WORDS[field] ?? field;
}

const isBudget = (value: unknown): value is Budget => typeof value === 'object' && value !== null;

/** $5.00, 60 min and 20 turns. */
export function budgetText({ usd, minutes, turns }: Budget): string {
  const parts = [
    ...(usd === undefined ? [] : [costText(usd)]),
    ...(minutes === undefined ? [] : [`${minutes} min`]),
    ...(turns === undefined ? [] : [countText(turns, 'turn')]),
  ];
  return parts.length === 0 ? 'no limit' : listText(parts);
}

/** a, b and c. */
export const listText = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** Steps that a change adds, with everything an agent would be asked: nobody should accept them unread. */
export const newSteps = (ops: readonly PlanOp[]): readonly PlanNode[] => ops.flatMap((op) => ('node' in op && typeof op.node === 'object' ? [op.node] : []));
