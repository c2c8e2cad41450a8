import type { Branch } from '../../../src/protocol/api/archive.ts';
import type { Hit } from '../../../src/protocol/api/search.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { ReplayServer } from './replay-server.ts';
import { sessionOf } from './sample-sessions.ts';

export interface ReplayIndex {
  readonly sessions: readonly Session[];
  readonly hits?: readonly Hit[];
  readonly branches?: readonly Branch[];
}

const FOLDERS = ['storefront', 'payments-api', 'infra', 'docs'];
const MINUTES_APART = 7;

/** This many past sessions in a few projects, newest first. */
export const pastSessions = (count: number): readonly Session[] =>
  Array.from({ length: count }, (_, index) => {
    const project = FOLDERS[index % FOLDERS.length] ?? '';
    const past = { lastSeq: 400, bytes: 123_456, branches: 1, kept: true, gone: false, read: true };
    const where = { project, projectId: project, cwd: `/home/ada/${project}` };
    return sessionOf({ id: `past${index}`, title: `Past session ${index}`, status: 'ended', control: 'none', past, ...where }, index * MINUTES_APART);
  });

/** Makes a replay server list all sessions, including those without a journal. Returns the requested paths. */
export function withPastSessions({ book }: ReplayServer, sessionIndex: ReplayIndex): readonly string[] {
  const requested: string[] = [];
  book.branches = sessionIndex.branches ?? [];
  const before = book.http.bind(book);
  book.http = (url) => {
    requested.push(`${url.pathname}${url.search}`);
    return answerOf(sessionIndex, url) ?? before(url);
  };
  const answer = book.answer.bind(book);
  book.answer = (frame) => {
    const isUnknown = frame.type === 'subscribe' && frame.sessionId !== '*' && !book.pages.has(frame.sessionId);
    return isUnknown ? [{ type: 'refused', sessionId: frame.sessionId, code: 'not-found', message: 'There is no such session.' }] : answer(frame);
  };
  return requested;
}

function answerOf(sessionIndex: ReplayIndex, url: URL): unknown {
  if (url.pathname.endsWith('/branches')) return { branches: sessionIndex.branches ?? [] };
  switch (url.pathname) {
    case '/api/sessions':
      return pageOf(sessionIndex.sessions, url.searchParams);
    case '/api/projects':
      return { projects: projectsOf(sessionIndex.sessions) };
    case '/api/tags':
      return { tags: [{ tag: 'urgent', sessions: 1 }] };
    case '/api/search':
      return hitsOf(sessionIndex.hits ?? [], url.searchParams);
    case '/api/index':
      return PROGRESS;
    case '/api/kept':
      return { on: true, files: 1980, bytes: 143_000_000, rawBytes: 980_000_000, gone: 14 };
    default:
      return undefined;
  }
}

function pageOf(sessions: readonly Session[], query: URLSearchParams): unknown {
  const matches = (session: Session) =>
    (query.get('project') ?? session.projectId) === session.projectId && session.title.toLowerCase().includes(query.get('q')?.toLowerCase() ?? '');
  const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 200)];
  const found = sessions.filter(matches);
  const rest = from + limit < found.length ? { nextCursor: String(from + limit) } : {};
  return { sessions: found.slice(from, from + limit), ...rest };
}

const projectsOf = (sessions: readonly Session[]): readonly unknown[] =>
  FOLDERS.map((title) => ({
    id: title,
    path: `/home/ada/${title}`,
    title,
    sessions: sessions.filter(({ projectId }) => projectId === title).length,
    updatedAt: sessions[0]?.updatedAt ?? '',
    agents: ['demo'],
  }));

function hitsOf(all: readonly Hit[], query: URLSearchParams): unknown {
  const words = query.get('q') ?? '';
  const hits = all.filter((hit) => (words.startsWith('path:') ? hit.path === words.slice('path:'.length) : hit.snippet.includes(words)));
  return { hits, total: hits.length, more: hits.length > 1, whole: false };
}

const PROGRESS = {
  phase: 'reading',
  sessions: { done: 1204, total: 2000 },
  bytes: { done: 600_000_000, total: 1_000_000_000 },
  secondsLeft: 40,
  unreadable: [{ path: '/home/ada/.demo/broken.jsonl', agent: 'demo', reason: 'this user may not read it' }],
};
