import * as z from 'zod/mini';
import { NodeId, PlanNode, type PlanOp } from '../../../../../src/protocol/plan.ts';

/** A step as a person types it. An empty field means the default. */
export const StepForm = z.readonly(
  z.object({
    title: z.string(),
    kind: z.enum(['work', 'command', 'gate']),
    prompt: z.string(),
    needs: z.array(z.string()),
    agent: z.string(),
    model: z.string(),
    permissionMode: z.string(),
    group: z.string(),
    worktree: z.enum(['', 'own', 'none']),
    merge: z.enum(['', 'plan', 'none']),
    checkKind: z.enum(['none', 'command', 'agent']),
    checkText: z.string(),
    checkAgent: z.string(),
    fixMax: z.string(),
    fixThen: z.enum(['gate', 'fail']),
    timeLimit: z.string(),
  }),
);
export type StepForm = z.infer<typeof StepForm>;

export const EMPTY_STEP: StepForm = {
  title: '',
  kind: 'work',
  prompt: '',
  needs: [],
  agent: '',
  model: '',
  permissionMode: '',
  group: '',
  worktree: '',
  merge: '',
  checkKind: 'none',
  checkText: '',
  checkAgent: '',
  fixMax: '',
  fixThen: 'gate',
  timeLimit: '',
};

/** A known step, to be edited. */
export function formOf(node: PlanNode): StepForm {
  const { verify, fix } = node;
  return {
    title: node.title,
    kind: node.kind ?? 'work',
    prompt: node.prompt,
    needs: node.needs,
    agent: node.agent ?? '',
    model: node.model ?? '',
    permissionMode: node.permissionMode ?? '',
    group: node.group ?? '',
    worktree: node.worktree ?? '',
    merge: node.merge ?? '',
    checkKind: verify === undefined ? 'none' : 'command' in verify ? 'command' : 'agent',
    checkText: verify === undefined ? '' : 'command' in verify ? verify.command : verify.prompt,
    checkAgent: verify !== undefined && 'agent' in verify ? verify.agent : '',
    fixMax: fix === undefined ? '' : String(fix.max),
    fixThen: fix?.then ?? 'gate',
    timeLimit: node.timeLimitMinutes === undefined ? '' : String(node.timeLimitMinutes),
  };
}

/** Throws if a field is not what the server takes. */
export function nodeOf(form: StepForm, id: string): PlanNode {
  return PlanNode.parse({ id, needs: form.needs, ...fieldsOf(form) });
}

/** Only fields that say something: the server has the defaults. */
function fieldsOf(form: StepForm): Record<string, unknown> {
  const text = { agent: form.agent, model: form.model, permissionMode: form.permissionMode, group: form.group, worktree: form.worktree, merge: form.merge };
  const isWork = form.kind === 'work';
  return {
    title: form.title.trim(),
    prompt: form.prompt,
    ...(!isWork && { kind: form.kind }),
    ...Object.fromEntries(Object.entries(text).filter(([, value]) => value.trim() !== '')),
    ...(isWork && verifyOf(form)),
    // biome-ignore lint/suspicious/noThenProperty: a field of the protocol
    ...(form.fixMax.trim() !== '' && { fix: { max: Number(form.fixMax), then: form.fixThen } }),
    ...(form.timeLimit.trim() !== '' && { timeLimitMinutes: Number(form.timeLimit) }),
  };
}

function verifyOf({ checkKind, checkText, checkAgent }: StepForm): { readonly verify?: unknown } {
  if (checkText.trim() === '' || checkKind === 'none') return {};
  return { verify: checkKind === 'command' ? { command: checkText } : { agent: checkAgent, prompt: checkText } };
}

/** What changes the step from `node` to the form: fields and needs are different operations. Nothing, if they are alike. */
export function editOps(node: PlanNode, form: StepForm): readonly PlanOp[] {
  const wished = nodeOf(form, node.id);
  const before: Readonly<Record<string, unknown>> = node;
  const changed = Object.entries(wished).filter(([field, value]) => field !== 'id' && field !== 'needs' && !isSame(before[field], value));
  // A step without a kind is one of an agent.
  const kind = form.kind === (node.kind ?? 'work') ? {} : { kind: form.kind };
  const set = { ...Object.fromEntries(changed), ...kind };
  const ops: PlanOp[] = Object.keys(set).length === 0 ? [] : [{ op: 'edit', node: node.id, set }];
  return isSame(node.needs, wished.needs) ? ops : [...ops, { op: 'rewire', node: node.id, needs: wished.needs }];
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const ID_CHARS = 48;

/** An id from a title, unlike those that exist. */
export function idFor(title: string, taken: ReadonlySet<string>): NodeId {
  const slug = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, ID_CHARS - 4);
  const base = slug === '' ? 'step' : slug;
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return NodeId.parse(id);
  }
}
