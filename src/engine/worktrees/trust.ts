import type { PreparedCommand } from '../../domain/session/commands.ts';
import type { Actor } from '../../protocol/actor.ts';
import { ProjectScripts } from '../../protocol/api/worktree.ts';
import type { CommandOf, Receipt, Refusal, WorkspaceCommandOf } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { contentOf } from '../loop/repeated-command.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** "Accept for the repository": stored before the answer, and only if the answer will be accepted. Only owners may; the server checks that. */
export function rememberScripts(
  session: SessionActor,
  asked: PreparedCommand,
  command: CommandOf<'permission.answer'>,
  actor: Actor,
): Receipt | Refusal | undefined {
  const { remember, requestId, commandId } = command;
  if (remember === undefined || remember.scope === 'session') return undefined;
  const refusal = session.refusalOf(asked, actor);
  if (refusal !== undefined) return refusal;
  const open = session.state.permissions.find((request) => request.requestId === requestId)?.asked;
  const repo = session.state.worktree?.repo;
  if (open === undefined || repo === undefined) return { refused: 'not-found', message: 'There is no such request.' };
  const trust: WorkspaceCommandOf<'scripts.trust'> = {
    type: 'scripts.trust',
    commandId: `trust:${commandId}` as CommandId,
    repo,
    sha256: open.agentRequestId,
    scripts: ProjectScripts.parse(open.input.scripts ?? {}),
  };
  return session.context.deps.journal.receipt(trust.commandId) ?? session.context.workspace.command(trust, actor, contentOf(trust));
}
