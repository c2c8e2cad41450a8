import { notable } from '../../git/planted.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import { isRefusal } from '../../protocol/command.ts';
import { type CommandId, isInternal, type SessionId } from '../../protocol/ids.ts';
import { type FinishContext, repositoryFor, stateOf } from './finish-context.ts';

/** A tool can have run before the look was over; a session has few events before its first tool. */
const FIRST_EVENTS = 1000;

/**
 * Notes hooks and settings when a session's first process starts, beside the start. If that is missed, because the server ended or the agent was faster,
 * nothing is noted and everything counts as changed.
 */
export function noteStarts(context: FinishContext): () => void {
  return context.engine.watch('*', (news) => {
    if (news.kind !== 'events' || !news.events.some(({ type }) => type === 'run.opened')) return;
    const { sessionId } = news;
    if (isInternal(sessionId)) return;
    // The engine knows a new session only after it has published its first events.
    context.problems.soon('note git settings at the start of sessions', () => {
      if (stateOf(context, sessionId)?.notedSeq !== null) return;
      note(context, sessionId).catch((error: unknown) =>
        context.log.warn({ error, session: sessionId }, 'could not note the git settings at a session’s start'),
      );
    });
  });
}

async function note(context: FinishContext, id: SessionId): Promise<void> {
  const { engine } = context;
  const session = engine.session(id);
  if (session === undefined || hasActed(context, id)) return;
  const place = await repositoryFor(context, session);
  const entries = isRefusal(place) ? [] : (await notable(place)).map(({ name, sha256 }) => ({ name, sha256 }));
  if (hasActed(context, id)) return;
  await engine.submit({ type: 'git.note', commandId: `git-note:${id}` as CommandId, sessionId: id, entries }, SYSTEM);
}

function hasActed({ engine }: FinishContext, id: SessionId): boolean {
  const base = engine.session(id)?.past?.lastSeq ?? 0;
  const events = engine.events(id, { after: base, limit: FIRST_EVENTS });
  return events.length === FIRST_EVENTS || events.some(({ type, inherited, elsewhere }) => type === 'tool.started' && inherited !== true && elsewhere !== true);
}
