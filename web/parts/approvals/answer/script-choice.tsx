import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';

/** Accept a script of the repository: for this session, or (owners) for the repository until its text or its files change. */
export function ScriptChoice({ request, hasKeys, onVerdict }: AnswerViewProps) {
  const project = useApp((state) => state.sessions.get(request.sessionId)?.project);
  const isOwner = useApp((state) => state.you?.role === 'owner');
  const allow = () => onVerdict({ behavior: 'allow' });
  const trust = () => onVerdict({ behavior: 'allow', remember: { scope: 'project' } });
  const decline = () => onVerdict({ behavior: 'deny' });
  useCardKeys(hasKeys, { 'request.allow': allow, 'request.remember': isOwner ? trust : undefined, 'request.deny': decline });
  return (
    <>
      <p className="script-words">
        Runs on this machine, with your rights, in the session’s worktree. You are asked again when its text or a file it names changes.
      </p>
      <div className="answer-buttons">
        <KeyButton label="Run in this session" keyName="y" hasKey={hasKeys} look="primary" onPress={allow} />
        {isOwner && (
          <KeyButton
            label={
              <span>
                Trust in <VisibleLine text={project ?? 'this repository'} />
              </span>
            }
            keyName="r"
            hasKey={hasKeys}
            onPress={trust}
          />
        )}
        <KeyButton label="Decline" keyName="n" hasKey={hasKeys} look="plain" onPress={decline} />
      </div>
    </>
  );
}
