import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { useCapabilities } from '../../common/use-capabilities.ts';
import type { FaceProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';

/** Allow once, change it first, allow and remember, deny. */
export function ToolChoice({ request, hasKeys, onVerdict, onFace }: FaceProps) {
  const project = useApp((state) => state.sessions.get(request.sessionId)?.project);
  const allow = () => onVerdict({ behavior: 'allow' });
  const canEdit = useCapabilities(request.sessionId)?.editInput === true;
  const edit = () => onFace('edit');
  useCardKeys(hasKeys, {
    'request.allow': allow,
    'request.edit': canEdit ? edit : undefined,
    'request.remember': () => onFace('remember'),
    'request.deny': () => onFace('deny'),
  });
  const always = <span>Always{project !== undefined && <Where project={project} />}…</span>;
  return (
    <div className="answer-buttons">
      <KeyButton label="Allow" keyName="y" hasKey={hasKeys} look="primary" onPress={allow} />
      {canEdit && <KeyButton label="Edit" keyName="e" hasKey={hasKeys} onPress={edit} />}
      <KeyButton label={always} keyName="r" hasKey={hasKeys} onPress={() => onFace('remember')} />
      <KeyButton label="Deny…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onFace('deny')} />
    </div>
  );
}

const Where = ({ project }: { readonly project: string }) => (
  <span className="where">
    {' in '}
    <VisibleLine text={project} />
  </span>
);
