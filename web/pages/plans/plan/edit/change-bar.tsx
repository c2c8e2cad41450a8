import { useState } from 'react';
import type { PlanDiff } from '../../../../../src/protocol/api/plan.ts';
import type { PlanOp } from '../../../../../src/protocol/plan.ts';
import { countText } from '../../../../base/text/format.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { newId } from '../../../../client/new-id.ts';
import { opText } from '../../../../parts/plans/op-text.ts';
import { usePlanPage } from '../steps/plan-context.ts';
import { useAct } from '../steps/use-act.ts';

interface ChangeBarProps {
  readonly ops: readonly PlanOp[];
  /** What they would do, or why they can't be applied. */
  readonly outcome: { readonly diff: PlanDiff } | { readonly message: string };
  readonly onUndo: () => void;
  readonly onClear: () => void;
}

/** Changes that are drawn but not applied yet: what they do, and Apply. */
export function ChangeBar({ ops, outcome, onUndo, onClear }: ChangeBarProps) {
  const { plan, api, titleOf } = usePlanPage();
  // Applying twice, or again after a lost answer, is one change.
  const [commandId, setCommandId] = useState(newId);
  const { isBusy, problem, run } = useAct();
  const apply = async () => {
    const isDone = await run(() => api.ops(plan.id, plan.revision, ops, { commandId }));
    setCommandId(newId());
    if (isDone) onClear();
  };
  const reason = 'message' in outcome ? outcome.message : problem;
  return (
    <section className="change-bar" aria-label="Changes not applied yet">
      <div className="change-what">
        <p>
          <strong>Not applied yet</strong>
          {'diff' in outcome && <DiffWords diff={outcome.diff} />}
        </p>
        <ol>
          {ops.map((op, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: changes are only added and taken away at the end
            <li key={at}>
              <VisibleLine text={opText(op, titleOf)} />
            </li>
          ))}
        </ol>
        {reason !== '' && (
          <p className="form-problem" role="alert">
            {reason}
          </p>
        )}
      </div>
      <div className="change-acts">
        <button type="button" className="button primary" disabled={isBusy || 'message' in outcome} onClick={() => void apply()}>
          Apply
        </button>
        <button type="button" className="button" onClick={onUndo}>
          Undo
        </button>
        <button type="button" className="button plain" onClick={onClear}>
          Discard all
        </button>
      </div>
    </section>
  );
}

/** 1 new step, 1 removed, 2 rewired. */
export function DiffWords({ diff: { added, removed, rewired, edited, plan } }: { readonly diff: PlanDiff }) {
  const parts = [
    ...(added.length > 0 ? [['added', countText(added.length, 'new step')] as const] : []),
    ...(removed.length > 0 ? [['removed', `${removed.length} removed`] as const] : []),
    ...(rewired.length > 0 ? [['rewired', `${rewired.length} rewired`] as const] : []),
    ...(edited.length > 0 ? [['edited', `${edited.length} changed`] as const] : []),
    ...(plan.length > 0 ? [['edited', 'settings'] as const] : []),
  ];
  return (
    <span className="diff-words">
      {parts.map(([kind, text]) => (
        <span key={text} className={`diff-word ${kind}`}>
          {text}
        </span>
      ))}
    </span>
  );
}
