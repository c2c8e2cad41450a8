import { BypassSign } from '../../../base/ui/bypass-sign.tsx';
import { CodeWords } from '../../../base/ui/code-words.tsx';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { useProposals } from '../answer/use-proposals.ts';
import type { Request } from '../request/request.ts';

/** Who asks, and where it would happen. */
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
      {request.kind === 'tool' && <RememberedAs requestId={request.requestId} />}
    </p>
  );
}

/** As the server would keep it, or that it cannot; nothing while that is not known. */
function RememberedAs({ requestId }: { readonly requestId: string }) {
  const told = useProposals(requestId);
  const narrowest = told?.proposals[0];
  if (narrowest === undefined) return told?.cannot !== undefined && <span title={told.cannot}>cannot be remembered</span>;
  return (
    <span>
      remembered as: <CodeWords text={narrowest.words} />
    </span>
  );
}
