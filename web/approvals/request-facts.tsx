import { useApp } from '../app/cockpit-context.ts';
import { VisibleLine } from '../ui/visible-text.tsx';
import { exactWords } from './remember-options.ts';
import type { Request } from './request.ts';

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
      {request.kind === 'tool' && (
        <span>
          <VisibleLine text={`remembered as: ${lowerFirst(exactWords(request))}`} />
        </span>
      )}
    </p>
  );
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
