import * as z from 'zod/mini';
import { CreatePlanBody, type PlanFile } from '../../../../src/protocol/api/plan.ts';

/** How a plan starts: an agent plans a task, a copy of another plan, or nothing. */
export const START_WAYS = ['task', 'copy', 'empty'] as const;

export const NewPlanForm = z.readonly(
  z.object({
    way: z.enum(START_WAYS),
    task: z.string(),
    title: z.string(),
    cwd: z.optional(z.string()),
    agent: z.optional(z.string()),
    source: z.string(),
    usd: z.string(),
  }),
);
export type NewPlanForm = z.infer<typeof NewPlanForm>;

export const FRESH_PLAN: NewPlanForm = { way: 'task', task: '', title: '', source: '', usd: '' };

export function isComplete({ way, task, title, cwd = '', source }: NewPlanForm): boolean {
  const needed = { task, copy: source, empty: title }[way];
  return cwd !== '' && needed.trim() !== '';
}

/** Throws with a readable message. `file`: the plan that is copied. */
export function bodyOf(form: NewPlanForm, file: PlanFile | undefined): CreatePlanBody {
  const { way, task, title, cwd = '', agent = '', usd } = form;
  const { signalboxPlan: _version, ...copied } = file ?? { signalboxPlan: 1, title: '', nodes: [] };
  const body = CreatePlanBody.safeParse({
    ...copied,
    title: titleOf(title.trim() === '' ? (way === 'copy' ? copied.title : task) : title),
    ...(task.trim() !== '' && way === 'task' && { goal: task }),
    cwd,
    ...(agent !== '' && way !== 'copy' && { defaults: { agent } }),
    ...(usd.trim() !== '' && { budget: { usd: Number(usd) } }),
  });
  if (!body.success) throw new Error('The budget must be a number of dollars above zero.');
  return body.data;
}

const TITLE_CHARS = 80;

function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line;
}
