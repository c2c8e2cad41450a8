import * as z from 'zod/mini';
import { CreatePlanBody, type PlanFile } from '../../../../src/protocol/api/plan.ts';
import { NodeId, PlanNode } from '../../../../src/protocol/plan.ts';

/** How a plan starts: an agent plans a task, several agents try the same, a copy of another plan, or nothing. */
export const START_WAYS = ['task', 'best', 'copy', 'empty'] as const;

export const NewPlanForm = z.readonly(
  z.object({
    way: z.enum(START_WAYS),
    task: z.string(),
    title: z.string(),
    cwd: z.optional(z.string()),
    agent: z.optional(z.string()),
    source: z.string(),
    /** For a best of N: the agents that try. */
    tries: z.array(z.string()),
    check: z.string(),
    usd: z.string(),
  }),
);
export type NewPlanForm = z.infer<typeof NewPlanForm>;

export const FRESH_PLAN: NewPlanForm = { way: 'task', task: '', title: '', source: '', tries: [], check: '', usd: '' };

export const isComplete = ({ way, task, title, cwd = '', source, tries }: NewPlanForm): boolean =>
  cwd !== '' &&
  (way === 'task' ? task.trim() !== '' : way === 'best' ? task.trim() !== '' && tries.length > 1 : way === 'copy' ? source !== '' : title.trim() !== '');

/** Throws with a readable message. `file`: the plan that is copied. */
export function bodyOf(form: NewPlanForm, file: PlanFile | undefined): CreatePlanBody {
  const { way, task, title, cwd = '', agent = '', usd } = form;
  const { signalboxPlan: _version, ...copied } = file ?? { signalboxPlan: 1, title: '', nodes: [] };
  const body = CreatePlanBody.safeParse({
    ...copied,
    title: titleOf(title.trim() === '' ? (way === 'copy' ? copied.title : task) : title),
    ...(task.trim() !== '' && (way === 'task' || way === 'best') && { goal: task }),
    cwd,
    ...(agent !== '' && way !== 'copy' && { defaults: { agent } }),
    ...(usd.trim() !== '' && { budget: { usd: Number(usd) } }),
    ...(way === 'best' && { nodes: bestOf(form), parallel: form.tries.length }),
  });
  if (!body.success) throw new Error('The budget must be a number of dollars above zero.');
  return body.data;
}

const TITLE_CHARS = 80;

function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line;
}

/** The same task several times, each in its own worktree, and a gate at which a person takes one of them. */
function bestOf({ task, tries, check }: NewPlanForm): readonly PlanNode[] {
  const verify = check.trim() === '' ? {} : { verify: { command: check } };
  const nodes = tries.map((agent, at) => ({
    id: `try-${at + 1}`,
    title: `Attempt ${at + 1}`,
    prompt: task,
    needs: [],
    agent,
    worktree: 'own',
    merge: 'none',
    group: 'Attempts',
    ...verify,
  }));
  const gate = { id: 'pick', title: 'Take one', prompt: 'Which attempt should be merged?', needs: nodes.map(({ id }) => NodeId.parse(id)), kind: 'gate' };
  return z.array(PlanNode).parse([...nodes, gate]);
}
