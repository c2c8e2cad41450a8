import { modeText } from '../../../base/words/words.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import type { FaceProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';
import { planModes } from './plan-modes.ts';

/** Go ahead (and how freely), change the plan, or send it back with comments. */
export function PlanChoice({ request, hasKeys, onVerdict, onFace, draft, onDraft }: FaceProps) {
  const modes = planModes(useCapabilities(request.sessionId)?.modes);
  const mode = modes.find((each) => each === draft.mode) ?? modes[0];
  const approve = () => onVerdict({ behavior: 'allow', ...(mode !== undefined && { mode }) });
  useCardKeys(hasKeys, { 'request.allow': approve, 'request.edit': () => onFace('edit'), 'request.deny': () => onFace('deny') });
  return (
    <>
      {modes.length > 0 && (
        <fieldset className="choice-row">
          <legend>Then it goes on so that it</legend>
          {modes.map((each) => (
            <button key={each} type="button" className="button option" aria-pressed={each === mode} onClick={() => onDraft({ mode: each })}>
              {modeText(each)}
            </button>
          ))}
        </fieldset>
      )}
      <div className="answer-buttons">
        <KeyButton label="Go ahead" keyName="y" hasKey={hasKeys} look="primary" onPress={approve} />
        <KeyButton label="Edit" keyName="e" hasKey={hasKeys} onPress={() => onFace('edit')} />
        <KeyButton label="Send back…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onFace('deny')} />
      </div>
    </>
  );
}
