import type * as z from 'zod/mini';
import { SessionList } from '../../protocol/http.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { Session } from '../../protocol/session.ts';
import { CliProblem, UsageProblem } from './command.ts';
import { addressOf } from './server-link.ts';

/** More matches than this are not listed. */
const SHOWN = 5;

/** Either a link or a plain API. */
interface Asks {
  ask<S extends z.ZodMiniType>(schema: S, path: string): Promise<z.infer<S>>;
}

/** Finds a session by its id or a unique prefix of it. */
export async function findSession(link: Asks, id: string | undefined): Promise<Session> {
  if (id === undefined || id === '') throw new UsageProblem('name a session; "signalbox ls" lists them');
  return (await exactly(link, id)) ?? (await byPrefix(link, id));
}

async function exactly(link: Asks, id: string): Promise<Session | undefined> {
  try {
    return await link.ask(Session, addressOf(id));
  } catch (error) {
    if (error instanceof CliProblem && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

async function byPrefix(link: Asks, id: string): Promise<Session> {
  const found = (await allSessions(link)).filter((session) => session.id.startsWith(id));
  const [only, ...others] = found;
  if (only === undefined) throw new CliProblem(`There is no session ${id}. "signalbox ls" lists them.`);
  if (others.length === 0) return only;
  const names = found.slice(0, SHOWN).map((session) => session.id);
  throw new UsageProblem(`"${id}" matches ${found.length} sessions (${names.join(', ')}${found.length > SHOWN ? ', …' : ''}); type more of it`);
}

async function allSessions(link: Asks): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = new URLSearchParams({ limit: String(LIMITS.pageMax), ...(cursor !== '' && { cursor }) });
    const page: SessionList = await link.ask(SessionList, `/api/sessions?${query}`);
    sessions.push(...page.sessions);
    cursor = page.nextCursor;
  }
  return sessions;
}
