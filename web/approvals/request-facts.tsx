import { useApp } from '../app/cockpit-context.ts';
import { BypassSign } from '../ui/bypass-sign.tsx';
import { CodeWords } from '../ui/code-words.tsx';
import type { Request } from './request.ts';
import { useProposals } from './use-proposals.ts';

/** Who asks, and where it would happen. */
export function RequestFacts({ request }: { readonly request: Request }) {
  const session = useApp((state) => state.sessions.get(request.sessionId));
  const agent = useApp((state) => state.agents?.find(({ id }) => id === session?.agent)?.title) ?? session?.agent;
  if (session === undefined) return null;
  return (
    <p className="request-facts">
      <span>{request.subagent === undefined ? agent : `${request.subagent}, a subagent of ${agent}`}</span>
      <code title={session.cwd}>{session.cwd}</code>
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
