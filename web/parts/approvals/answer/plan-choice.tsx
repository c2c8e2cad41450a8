import type { PermissionMode } from '../../../../src/protocol/session.ts';
import { modeText } from '../../../base/text/format.ts';
import type { Comment } from '../../annotations/groups.ts';
import { useComments } from '../../annotations/use-comments.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';
import { PlanReview } from './plan-review.tsx';

/** Approve the plan and choose the mode to continue in, edit it, or request changes; with comments on it, these are the answer. */
export function PlanChoice(props: AnswerViewProps) {
  const { request, draft, onDraft } = props;
  const modes = planModes(useCapabilities(request.sessionId)?.modes);
  const mode = modes.find((each) => each === draft.mode) ?? modes[0];
  const { comments, problem, act } = useComments(request.sessionId);
  const onPlan = comments?.filter((comment) => isDraftOn(request, comment)) ?? [];
  return (
    <>
      {modes.length > 0 && (
        <fieldset className="choice-row">
          <legend>Continue in mode:</legend>
          {modes.map((each) => (
            <button key={each} type="button" className="button option" aria-pressed={each === mode} onClick={() => onDraft({ mode: each })}>
              {modeText(each)}
            </button>
          ))}
        </fieldset>
      )}
      {problem !== undefined && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {onPlan.length > 0 ? (
        <PlanReview request={request} hasKeys={props.hasKeys} comments={onPlan} mode={mode} act={act} />
      ) : (
        <PlanButtons {...props} mode={mode} />
      )}
    </>
  );
}

function PlanButtons({ hasKeys, onVerdict, onView, mode }: AnswerViewProps & { readonly mode: PermissionMode | undefined }) {
  const approve = () => onVerdict({ behavior: 'allow', ...(mode !== undefined && { mode }) });
  useCardKeys(hasKeys, { 'request.allow': approve, 'request.edit': () => onView('edit'), 'request.deny': () => onView('deny') });
  return (
    <div className="answer-buttons">
      <KeyButton label="Approve" keyName="y" hasKey={hasKeys} look="primary" onPress={approve} />
      <KeyButton label="Edit" keyName="e" hasKey={hasKeys} onPress={() => onView('edit')} />
      <KeyButton label="Request changes…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onView('deny')} />
    </div>
  );
}

/** What an agent wrote is never sent for a person who didn't choose it. */
const isDraftOn = ({ toolUseId }: AnswerViewProps['request'], { state, target, by }: Comment): boolean =>
  state === 'draft' && target.type === 'tool-call' && target.toolUseId === toolUseId && by?.kind !== 'agent';

/** The modes in which an agent can continue after its plan: not planning again, and never without any question. */
const planModes = (modes: readonly PermissionMode[] | undefined): readonly PermissionMode[] =>
  (modes ?? []).filter((mode) => mode !== 'plan' && mode !== 'bypassPermissions');
