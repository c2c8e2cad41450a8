import { useEffect, useId } from 'react';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';
import { firstScope, type RememberOption, rememberOptions, whyNeverRemembered } from './remember-options.ts';
import { useProposals } from './use-proposals.ts';

/** Allow once, edit first, allow and create a rule, or deny. */
export function ToolChoice({ request, hasKeys, onVerdict, onView }: AnswerViewProps) {
  const allow = () => onVerdict({ behavior: 'allow' });
  const canEdit = useCapabilities(request.sessionId)?.editInput === true;
  const edit = () => onView('edit');
  const found = useProposals(request.requestId);
  const whyNever = whyNeverRemembered(request, found);
  const remember = () => onView('remember');
  const reason = useId();
  useCardKeys(hasKeys, {
    'request.allow': allow,
    'request.edit': canEdit ? edit : undefined,
    'request.remember': whyNever === undefined ? remember : undefined,
    'request.deny': () => onView('deny'),
  });
  return (
    <>
      <div className="answer-buttons">
        <KeyButton label="Allow" keyName="y" hasKey={hasKeys} look="primary" onPress={allow} />
        {canEdit && <KeyButton label="Edit" keyName="e" hasKey={hasKeys} onPress={edit} />}
        <KeyButton
          label={<AlwaysLabel sessionId={request.sessionId} option={found && rememberOptions(request, found)[0]} />}
          keyName="r"
          hasKey={hasKeys && whyNever === undefined}
          isOff={whyNever !== undefined}
          describedBy={whyNever === undefined ? undefined : reason}
          onPress={remember}
        />
        <KeyButton label="Deny…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onView('deny')} />
      </div>
      {whyNever !== undefined && (
        <p className="why-off" id={reason}>
          <VisibleText text={whyNever} />
        </p>
      )}
    </>
  );
}

interface AlwaysLabelProps {
  readonly sessionId: string;
  /** The rule that the form starts with, once it is known. */
  readonly option: RememberOption | undefined;
}

/** Names the scope that the form starts with. */
function AlwaysLabel({ sessionId, option }: AlwaysLabelProps) {
  const cockpit = useCockpit();
  const role = useApp((state) => state.role);
  useEffect(() => void cockpit.loadRole(), [cockpit]);
  const project = useApp((state) => state.sessions.get(sessionId)?.project);
  if (option === undefined) return <span>Always…</span>;
  const where = firstScope(option, role) === 'project' ? <VisibleLine text={project ?? 'this project'} /> : 'this session';
  return <span className="always">Always in {where}…</span>;
}
