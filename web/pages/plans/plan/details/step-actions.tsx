import { useState } from 'react';
import * as z from 'zod/mini';
import { startedNodes } from '../../../../../src/domain/plan/ops.ts';
import type { PlanNodeState } from '../../../../../src/protocol/api/plan.ts';
import { ConfirmButton } from '../../../../base/ui/confirm-button.tsx';
import { newId } from '../../../../client/new-id.ts';
import { useFormDraft } from '../../../../parts/common/use-form-draft.ts';
import { usePlanPage } from '../steps/plan-context.ts';
import { useAct } from '../steps/use-act.ts';

const Words = z.string();

/** What can be done with a step now. Nothing that the server would refuse is offered. */
export function StepActions({ node, isNew }: { readonly node: PlanNodeState; readonly isNew: boolean }) {
  const { plan, api, mayAct, change, openForm, titleOf } = usePlanPage();
  const [words, setWords] = useFormDraft(`step-words:${plan.id}:${node.id}`, Words, '');
  const [asks, setAsks] = useState<'retry' | 'resume'>();
  const { isBusy, problem, run } = useAct();
  if (!mayAct) return null;
  const { kind = 'work', status, attempts } = node;
  const isUnderWay = !isNew && plan.status !== 'draft' && plan.status !== 'cancelled';
  const isStuck = isUnderWay && (status === 'failed' || status === 'waiting') && kind !== 'gate';
  const mayResume = isStuck && kind === 'work' && attempts.length > 0;
  const isGate = kind === 'gate' && plan.gates.some((gate) => gate.node === node.id);
  const maySkip = isUnderWay && !isGate && status !== 'done' && status !== 'skipped' && status !== 'running';
  const isOpen = plan.status !== 'cancelled';
  const mayChange = isOpen && !startedNodes(plan).has(node.id);
  const act = (verb: 'retry' | 'resume' | 'skip') =>
    run(() => api.actOnStep(plan.id, node.id, verb, newId(), words.trim() === '' || verb === 'skip' ? undefined : words)).then((isDone) => {
      if (isDone) setWords('');
      if (isDone) setAsks(undefined);
    });
  return (
    <div className="step-actions">
      {asks === undefined ? (
        <div className="step-buttons">
          {mayResume && (
            <button type="button" className="button primary" disabled={isBusy} onClick={() => setAsks('resume')}>
              Resume…
            </button>
          )}
          {isStuck && (
            <button type="button" className="button" disabled={isBusy} onClick={() => setAsks('retry')}>
              Retry…
            </button>
          )}
          {maySkip && <ConfirmButton label="Skip" question="Steps that need it are told it was skipped." onConfirm={() => void act('skip')} />}
        </div>
      ) : (
        <>
          <p className="quiet">{asks === 'resume' ? 'Continues in the same session.' : 'Starts over in a fresh session and worktree. The old ones stay.'}</p>
          <textarea
            rows={2}
            // biome-ignore lint/a11y/noAutofocus: the person has just asked for this
            autoFocus
            aria-label="What to tell the agent (optional)"
            placeholder="Tell the agent something (optional)"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <div className="step-buttons">
            <button type="button" className="button primary" disabled={isBusy} onClick={() => void act(asks)}>
              {asks === 'resume' ? 'Resume' : 'Retry'}
            </button>
            <button type="button" className="button plain" onClick={() => setAsks(undefined)}>
              Cancel
            </button>
          </div>
        </>
      )}
      {problem !== '' && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {isOpen && (
        <div className="step-buttons step-edits">
          {mayChange && <Edit label="Edit…" onPress={() => openForm({ kind: 'edit', node: node.id })} />}
          <Edit label="Add after…" onPress={() => openForm({ kind: 'add', needs: [node.id] })} />
          <Edit label="Add next to…" onPress={() => openForm({ kind: 'sibling', of: node.id })} />
          {mayChange && <Edit label="Remove" title={`Remove ${titleOf(node.id)}`} onPress={() => change([{ op: 'remove', node: node.id }])} />}
        </div>
      )}
    </div>
  );
}

const Edit = ({ label, title, onPress }: { readonly label: string; readonly title?: string; readonly onPress: () => void }) => (
  <button type="button" className="text-button" title={title} onClick={onPress}>
    {label}
  </button>
);
