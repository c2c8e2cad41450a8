import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';

/** Allow once, edit first, allow and create a rule, or deny. */
export function ToolChoice({ request, hasKeys, onVerdict, onView }: AnswerViewProps) {
  const project = useApp((state) => state.sessions.get(request.sessionId)?.project);
  const allow = () => onVerdict({ behavior: 'allow' });
  const canEdit = useCapabilities(request.sessionId)?.editInput === true;
  const edit = () => onView('edit');
  useCardKeys(hasKeys, {
    'request.allow': allow,
    'request.edit': canEdit ? edit : undefined,
    'request.remember': () => onView('remember'),
    'request.deny': () => onView('deny'),
  });
  const always = <span>Always{project !== undefined && <Where project={project} />}…</span>;
  return (
    <div className="answer-buttons">
      <KeyButton label="Allow" keyName="y" hasKey={hasKeys} look="primary" onPress={allow} />
      {canEdit && <KeyButton label="Edit" keyName="e" hasKey={hasKeys} onPress={edit} />}
      <KeyButton label={always} keyName="r" hasKey={hasKeys} onPress={() => onView('remember')} />
      <KeyButton label="Deny…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onView('deny')} />
    </div>
  );
}

const Where = ({ project }: { readonly project: string }) => (
  <span className="where">
    {' in '}
    <VisibleLine text={project} />
  </span>
);
