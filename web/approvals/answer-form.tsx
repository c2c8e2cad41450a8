import { useState } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import { DenyForm } from './deny-form.tsx';
import type { Request } from './request.ts';

interface AnswerFormProps {
  readonly request: Request;
  /** Whether `y` and `n` mean this one. */
  readonly hasKeys: boolean;
}

/** Allow or deny, with a reason; says plainly while the answer is on its way. */
export function AnswerForm({ request, hasKeys }: AnswerFormProps) {
  const cockpit = useCockpit();
  const { requestId, sessionId } = request;
  const sent = useApp((state) => state.unsent.find((entry) => entry.frame.type === 'permission' && entry.frame.requestId === requestId)?.frame);
  const isOpen = useApp((state) => state.phase.name === 'open');
  const [isDenying, setDenying] = useState(false);
  if (sent?.type === 'permission') return <p className="answer-sent">{sentText(sent.behavior, isOpen)}</p>;
  if (isDenying) {
    const deny = (message: string) => void cockpit.answer({ requestId, sessionId, behavior: 'deny', message });
    return <DenyForm onDeny={deny} onBack={() => setDenying(false)} />;
  }
  const allow = (updated: { readonly updatedInput?: Readonly<Record<string, unknown>> }) =>
    void cockpit.answer({ requestId, sessionId, behavior: 'allow', ...updated });
  return <AnswerButtons request={request} hasKeys={hasKeys} onAllow={allow} onDeny={() => setDenying(true)} />;
}

function sentText(behavior: 'allow' | 'deny', isOpen: boolean): string {
  const word = behavior === 'allow' ? 'Allowed' : 'Denied';
  return isOpen ? `${word}; telling the server…` : `${word}, but not yet sent: there is no connection. It is kept here and sent when it is back.`;
}
