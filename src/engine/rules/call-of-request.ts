import type { Call } from '../../domain/policy/judge.ts';
import { propose } from '../../domain/policy/propose.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { ProposalList } from '../../protocol/http.ts';
import type { RequestId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { guardedFolders } from './guarded-folders.ts';
import { realPath } from './real-path.ts';

/** The call that a request asks about, with the input as a person changed it, if they did. */
export function callAsked(session: SessionActor, requestId: RequestId, updatedInput?: Readonly<Record<string, unknown>>): Call | undefined {
  const { born, permissions, id } = session.state;
  const asked = permissions.find((request) => request.requestId === requestId)?.asked;
  if (asked === undefined || born === null || asked.kind !== 'tool') return undefined;
  const subject =
    updatedInput === undefined && asked.subject !== undefined ? asked.subject : session.adapter.subjectOf(asked.tool, updatedInput ?? asked.input);
  return { agent: born.agent, sessionId: id, cwd: born.cwd, tool: asked.tool, subject };
}

/** The rules that a pending request could be turned into. */
export function proposalsFor(context: EngineContext, requestId: RequestId): ProposalList | Refusal {
  for (const session of context.sessions.values()) {
    const call = callAsked(session, requestId);
    const offered = call && propose(call, realPath, guardedFolders(context.deps));
    if (offered !== undefined) return 'cannot' in offered ? { proposals: [], ...offered } : { proposals: [...offered.proposals] };
  }
  return { refused: 'not-found', message: `No tool request is waiting under ${requestId}.` };
}
