import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { summarise } from '../../domain/session/summary.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import type { Session } from '../../protocol/session.ts';
import type { SessionBox } from './session-actor.ts';

/** A project is a real folder; its id is the same on every machine that has it at the same path. */
export const projectIdOf = (cwd: string): string => createHash('sha256').update(cwd).digest('hex').slice(0, 16);

export function sessionSummary(box: SessionBox): Session | undefined {
  const cwd = box.state.born?.cwd ?? '';
  const { hostname, platform } = box.world.deps.machine;
  const { pid, rssBytes } = box.run ?? {};
  const record = box.state.base > 0 ? box.world.deps.past?.facts(box.state.id) : undefined;
  return summarise(box.state, {
    projectId: projectIdOf(cwd),
    project: basename(cwd) || cwd,
    hostname,
    platform,
    ...(pid !== undefined && { pid }),
    ...(rssBytes !== undefined && { rssBytes }),
    ...(record !== undefined && { record }),
  });
}

export function waitingIn(box: SessionBox): readonly WaitingPermission[] {
  const session = box.summary();
  if (session === undefined) return [];
  return box.state.permissions.map(({ requestId, seq, at, asked }) => {
    const { agentRequestId: _, ...shown } = asked;
    return { ...shown, requestId, seq, at, sessionId: session.id, sessionTitle: session.title, agent: session.agent, cwd: session.cwd };
  });
}
