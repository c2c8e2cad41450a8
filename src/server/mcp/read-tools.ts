import type * as z from 'zod/mini';
import type { ExportContent } from '../../domain/export/block.ts';
import { blocksOf } from '../../domain/export/blocks.ts';
import { markdownHead, markdownOf } from '../../domain/export/markdown.ts';
import { openTranscript } from '../../domain/transcript/transcript.ts';
import type { FindSessions, ReadSession } from '../../protocol/agent-tools.ts';
import type { Session } from '../../protocol/session.ts';
import { anySession, eventsOf } from '../shared/transcripts.ts';
import { isOwn, type ToolCaller, type ToolOutcome, type ToolSources } from './caller.ts';

/** Claude Code (2.1.197, 2.1.325) shows a model only the head of a result over 60,000 characters. */
const RESULT_CHARS = 20_000;
const FOUND = 20;
const EVENTS = 80;

export async function findSessions(caller: ToolCaller, { query, status, limit = FOUND }: z.infer<typeof FindSessions>): Promise<ToolOutcome> {
  if (query === undefined) {
    const { sessions } = await caller.sessionList.list({ limit, ...(status !== undefined && { status }) });
    return listed(sessions.map((session) => [session]));
  }
  const { hits } = await caller.sessionIndex.search({ q: query, limit: limit * 4 }, caller.hidden());
  const snippets = new Map<Session['id'], string>();
  for (const hit of hits) if (!snippets.has(hit.sessionId)) snippets.set(hit.sessionId, hit.snippet);
  const found = await Promise.all([...snippets].map(async ([id, snippet]) => [await anySession(caller, id), snippet] as const));
  return listed(
    found
      .flatMap(([session, snippet]) => (session === undefined || (status ?? session.status) !== session.status ? [] : [[session, snippet] as const]))
      .slice(0, limit),
  );
}

function listed(found: readonly (readonly [Session, string?])[]): string {
  if (found.length === 0) return 'No sessions found.';
  return found.map(([session, snippet]) => JSON.stringify({ ...briefly(session), ...(snippet !== undefined && { found: snippet }) })).join('\n');
}

const briefly = ({ id, title, agent, cwd, status, updatedAt, lastLine }: Session) => ({
  id,
  title,
  agent,
  cwd,
  status,
  updatedAt,
  ...(lastLine !== undefined && { lastLine }),
});

export async function readSession(
  caller: ToolCaller,
  own: ToolSources,
  { sessionId, before, limit = EVENTS }: z.infer<typeof ReadSession>,
): Promise<ToolOutcome> {
  const sources = isOwn(caller, sessionId) ? own : caller;
  const session = await anySession(sources, sessionId);
  if (session === undefined) return { refused: 'not-found', message: `There is no session ${sessionId} that you may read. find_sessions lists them.` };
  const events = await eventsOf(sources, session, { before: before ?? Number.MAX_SAFE_INTEGER, limit });
  const transcript = openTranscript(events);
  const text = blocksOf(transcript, transcript.rows, NOTHING_MORE).map(markdownOf).join('');
  const first = events[0]?.seq ?? 0;
  const older = first > 1 ? `\n*Earlier: call read_session with before=${first}.*\n` : '';
  const cut = text.length > RESULT_CHARS ? `…${text.slice(-RESULT_CHARS)}` : text;
  return `${markdownHead(session)}- Status: ${session.status}\n${older}${cut}`;
}

/** Long texts and images stay out: their head is enough to know what happened. */
const NOTHING_MORE: ExportContent = { whole: () => undefined, picture: () => undefined, marks: () => undefined };
