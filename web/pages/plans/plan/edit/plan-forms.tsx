import type { PlanState } from '../../../../../src/protocol/api/plan.ts';
import { NodeId, type PlanNode, type PlanOp } from '../../../../../src/protocol/plan.ts';
import { type OpenForm, usePlanPage } from '../steps/plan-context.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { GenerateDialog } from './generate-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { StepDialog } from './step-dialog.tsx';
import { EMPTY_STEP, editOps, formOf, idFor, nodeOf, type StepForm } from './step-form.ts';

interface PlanFormsProps {
  readonly form: OpenForm;
  /** The steps as they would be with the changes that are not applied yet. */
  readonly nodes: readonly PlanNode[];
  readonly onClose: () => void;
}

/** The dialog for one change of the plan. What it makes is drawn first and applied later. */
export default function PlanForms({ form, nodes, onClose }: PlanFormsProps) {
  const { plan, change } = usePlanPage();
  if (form.kind === 'settings') return <SettingsDialog onClose={onClose} />;
  if (form.kind === 'generate') return <GenerateDialog onClose={onClose} />;
  if (form.kind === 'cancel' || form.kind === 'delete') return <ConfirmDialog what={form.kind} onClose={onClose} />;
  const node = form.kind === 'edit' ? nodes.find(({ id }) => id === form.node) : undefined;
  if (form.kind === 'edit') return node === undefined ? null : <EditDialog key={node.id} plan={plan} node={node} nodes={nodes} onClose={onClose} />;
  const titleOf = (id: string): string => nodes.find((one) => one.id === id)?.title ?? id;
  const taken = new Set([...nodes, ...plan.nodes].map(({ id }) => id as string));
  return (
    <StepDialog
      title={titleText(form, titleOf)}
      draftName={`plan-step:${plan.id}:new`}
      fresh={form.kind === 'add' ? { ...EMPTY_STEP, needs: [...form.needs] } : EMPTY_STEP}
      choices={form.kind === 'add' ? nodes : []}
      submitLabel="Add"
      onSubmit={(filled) => change([addOp(form, filled, idFor(filled.title, taken))])}
      onClose={onClose}
    />
  );
}

type Adding = Extract<OpenForm, { kind: 'add' | 'between' | 'sibling' }>;

function titleText(form: Adding, titleOf: (id: string) => string): string {
  if (form.kind === 'between') return `New step between “${titleOf(form.from)}” and “${titleOf(form.to)}”`;
  if (form.kind === 'sibling') return `New step next to “${titleOf(form.of)}”`;
  const [first] = form.needs;
  return first === undefined ? 'New step' : `New step after “${titleOf(first)}”`;
}

function addOp(form: Adding, filled: StepForm, id: string): PlanOp {
  if (form.kind === 'add') return { op: 'add', node: nodeOf(filled, id) };
  const node = nodeOf({ ...filled, needs: [] }, id);
  if (form.kind === 'sibling') return { op: 'add_sibling', node, of: NodeId.parse(form.of) };
  return { op: 'insert_between', node, from: NodeId.parse(form.from), to: NodeId.parse(form.to) };
}

interface EditDialogProps {
  readonly plan: PlanState;
  readonly node: PlanNode;
  readonly nodes: readonly PlanNode[];
  readonly onClose: () => void;
}

function EditDialog({ plan, node, nodes, onClose }: EditDialogProps) {
  const { change } = usePlanPage();
  return (
    <StepDialog
      title={`Edit “${node.title}”`}
      draftName={`plan-step:${plan.id}:${node.id}`}
      fresh={formOf(node)}
      choices={nodes.filter(({ id }) => id !== node.id)}
      submitLabel="Done"
      onSubmit={(filled) => {
        const ops = editOps(node, filled);
        if (ops.length > 0) change(ops);
      }}
      onClose={onClose}
    />
  );
}
