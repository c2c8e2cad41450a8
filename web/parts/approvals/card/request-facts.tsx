import { BypassSign } from '../../../base/ui/bypass-sign.tsx';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import type { Request } from '../request/request.ts';

/** Who asks, and in which folder. */
export function RequestFacts({ request }: { readonly request: Request }) {
  const session = useApp((state) => state.sessions.get(request.sessionId));
  const agent = useApp((state) => state.agents?.find(({ id }) => id === session?.agent)?.title) ?? session?.agent;
  if (session === undefined) return null;
  return (
    <p className="request-facts">
      <span>
        <VisibleLine text={request.subagent === undefined ? (agent ?? '') : `${request.subagent}, a subagent of ${agent}`} />
      </span>
      <code title={session.cwd}>
        <VisibleLine text={session.cwd} />
      </code>
      <BypassSign mode={session.permissionMode} />
    </p>
  );
}
