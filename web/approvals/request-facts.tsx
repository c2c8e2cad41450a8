import { useApp } from '../app/cockpit-context.ts';
import type { Request } from './request.ts';

/** Who asks, and where it would happen. */
export function RequestFacts({ request }: { readonly request: Request }) {
  const session = useApp((state) => state.sessions.get(request.sessionId));
  const agent = useApp((state) => state.agents?.find(({ id }) => id === session?.agent)?.title) ?? session?.agent;
  if (session === undefined) return null;
  return (
    <p className="request-facts">
      <span>{request.subagent === undefined ? agent : `${request.subagent}, a subagent of ${agent}`}</span>
      <code title={session.cwd}>{session.cwd}</code>
    </p>
  );
}
