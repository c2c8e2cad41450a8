import type { PlanState, Spent } from '../../protocol/api/plan.ts';
import type { Budget } from '../../protocol/plan.ts';

export type BudgetPart = 'usd' | 'minutes' | 'turns';

/** From here on people are told that a budget is nearly spent. */
const NEAR = 0.8;
const MINUTE_MS = 60_000;

export const NOTHING_SPENT: Spent = { usd: 0, turns: 0, ms: 0, unknown: false };

/** Sums of many small prices, without the noise of floating point. */
const exact = (usd: number): number => Math.round(usd * 1e9) / 1e9;

export const addSpent = (a: Spent, b: { readonly usd?: number | undefined; readonly turns: number; readonly ms: number }): Spent => ({
  usd: exact(a.usd + (b.usd ?? 0)),
  turns: a.turns + b.turns,
  ms: a.ms + b.ms,
  unknown: a.unknown || (b.turns > 0 && b.usd === undefined),
});

const spentOf = ({ usd, ms, turns }: Spent): Record<BudgetPart, number> => ({ usd, minutes: ms / MINUTE_MS, turns });

const PARTS: readonly BudgetPart[] = ['usd', 'minutes', 'turns'];

function partsAbove(budget: Budget | undefined, spent: Spent, share: number): readonly BudgetPart[] {
  const now = spentOf(spent);
  return PARTS.filter((part) => {
    const most = budget?.[part];
    return most !== undefined && now[part] >= most * share;
  });
}

/** Budgets that are used up. A price that an agent doesn't report counts as nothing: time and turns still have their limits. */
export const exhausted = ({ head, spent }: Pick<PlanState, 'head' | 'spent'>): readonly BudgetPart[] => partsAbove(head.budget, spent, 1);

export const nearing = ({ head, spent, neared }: Pick<PlanState, 'head' | 'spent' | 'neared'>): readonly BudgetPart[] =>
  partsAbove(head.budget, spent, NEAR).filter((part) => !neared.includes(part));

export function budgetWords(part: BudgetPart, { budget = {} }: PlanState['head'], spent: Spent): string {
  const now = spentOf(spent)[part];
  if (part === 'usd') return `$${now.toFixed(2)} of $${(budget.usd ?? 0).toFixed(2)} spent`;
  return `${Math.floor(now)} of ${budget[part] ?? 0} ${part} used`;
}
