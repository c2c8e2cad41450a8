import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { requestText } from '../../../../src/domain/permission/request-text.ts';
import { KeyHint } from '../../../base/ui/key-hint.tsx';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { nextWaiting } from '../../../store/sessions/nav-order.ts';

/** After an answer: the session that needs you next, until this one needs you again. */
export function NextUp({ sessionId }: { readonly sessionId: string }) {
  const pending = useApp((state) => state.permissions.filter((request) => request.sessionId === sessionId).length);
  const next = useApp((state) => nextWaiting(state.permissions, sessionId));
  const before = useRef(pending);
  const [isAnswered, setAnswered] = useState(false);
  useEffect(() => {
    if (pending < before.current) setAnswered(true);
    if (pending > before.current) setAnswered(false);
    before.current = pending;
  }, [pending]);
  if (!isAnswered || pending > 0 || next === undefined) return null;
  return (
    <Link className="next-up" to="/s/$sessionId" params={{ sessionId: next.sessionId }}>
      <LampIcon shape="diamond" />
      <span className="next-up-words">
        Next: <strong>{next.sessionTitle}</strong> <VisibleLine text={requestText(next)} />
      </span>
      <KeyHint>w</KeyHint>
    </Link>
  );
}
