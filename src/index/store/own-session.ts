import { titleFrom } from '../../domain/session/summary.ts';
import type { Event } from '../../protocol/event.ts';
import { SessionId } from '../../protocol/ids.ts';
import { type SessionRows, TITLED } from './indexed-sessions.ts';

export type ProjectOf = (cwd: string) => { readonly project: string; readonly projectId: string };

/** Updates the facts of a session from an event in the journal; true if they changed. */
export function updateSession(rows: SessionRows, projectOf: ProjectOf, id: SessionId, event: Event): boolean {
  if (event.type === 'session.created') {
    const { project, projectId } = projectOf(event.cwd);
    const parent = SessionId.safeParse(event.parent?.sessionId);
    const past = rows.known(id);
    const title = event.title ?? past?.title ?? project;
    const titled = event.title !== undefined || past ? TITLED.given : TITLED.byFolder;
    const createdAt = past?.createdAt ?? event.at;
    return rows.write({ id, agent: event.agent, title, project, projectId, createdAt, ...(parent.success && { parent: parent.data }) }, titled).changed;
  }
  if (event.type === 'meta.changed' && event.title !== undefined) return setTitle(rows, id, event.title, TITLED.given);
  const prompt = promptOf(event);
  if (prompt === undefined || rows.titled(id) !== TITLED.byFolder) return false;
  const title = titleFrom(prompt);
  return title !== undefined && setTitle(rows, id, title, TITLED.byPrompt);
}

/** The same text that lists take a title from. */
function promptOf(event: Event): string | undefined {
  if (event.type === 'input.accepted' && event.actor?.kind !== 'system') return event.text.slice(0, 200);
  if (event.type === 'user.message' && event.inherited && event.origin !== 'agent') return event.text.slice(0, 200);
  return undefined;
}

function setTitle(rows: SessionRows, id: SessionId, title: string, titled: 1 | 2): boolean {
  const session = rows.known(id);
  return session !== undefined && rows.write({ ...session, title }, titled).changed;
}
