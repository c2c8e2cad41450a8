import type { PermissionMode } from '../../../../src/protocol/session.ts';
import { modeText } from '../../../base/text/format.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';

/** Approve the plan and choose the mode to continue in, edit it, or request changes. */
export function PlanChoice({ request, hasKeys, onVerdict, onView, draft, onDraft }: AnswerViewProps) {
  const modes = planModes(useCapabilities(request.sessionId)?.modes);
  const mode = modes.find((each) => each === draft.mode) ?? modes[0];
  const approve = () => onVerdict({ behavior: 'allow', ...(mode !== undefined && { mode }) });
  useCardKeys(hasKeys, { 'request.allow': approve, 'request.edit': () => onView('edit'), 'request.deny': () => onView('deny') });
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
      <div className="answer-buttons">
        <KeyButton label="Approve" keyName="y" hasKey={hasKeys} look="primary" onPress={approve} />
        <KeyButton label="Edit" keyName="e" hasKey={hasKeys} onPress={() => onView('edit')} />
        <KeyButton label="Request changes…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onView('deny')} />
      </div>
    </>
  );
}

/** The modes in which an agent can continue after its plan: not planning again, and never without any question. */
const planModes = (modes: readonly PermissionMode[] | undefined): readonly PermissionMode[] =>
  (modes ?? []).filter((mode) => mode !== 'plan' && mode !== 'bypassPermissions');
