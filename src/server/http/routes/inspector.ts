import { ChangesQuery, SessionChanges, TreeQuery, WorkingTree } from '../../../protocol/api/changes.ts';
import { FileAnswer, FileQuery } from '../../../protocol/api/folder.ts';
import { RawPage, RawQuery } from '../../../protocol/api/raw.ts';
import { RunList } from '../../../protocol/api/runs.ts';
import { SessionTimeline } from '../../../protocol/api/timeline.ts';
import { isRefusal, type Refusal } from '../../../protocol/command.ts';
import type { SessionId } from '../../../protocol/ids.ts';
import type { Session } from '../../../protocol/session.ts';
import { SANDBOX_CSP } from '../../auth/headers.ts';
import { imageAt, readPath } from '../../inspector/read-folder.ts';
import { readRaw } from '../../inspector/read-raw.ts';
import { readRuns } from '../../inspector/read-runs.ts';
import { foldersOf, type SessionFolders } from '../../inspector/session-folders.ts';
import { anySession } from '../../shared/transcripts.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';
import { noSession, OfSession } from './session.ts';

/** The inspector next to a transcript. Anyone who can see the session can see it. */
export const INSPECTOR_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/changes',
    role: 'viewer',
    summary: 'Files the agent’s tools edited, with patches; with a path, only that file',
    params: OfSession,
    query: ChangesQuery,
    answer: { status: 200, schema: SessionChanges },
    refusals: [404],
    handle: (services, { params, query }) => ofSession(services, params.id, (session) => services.inspector.changes.read(services, session, query.path)),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/tree',
    role: 'viewer',
    summary: 'What differs in the folder from a commit: HEAD, or the one at the session’s start; with a path, the patch of that file',
    params: OfSession,
    query: TreeQuery,
    answer: { status: 200, schema: WorkingTree },
    refusals: [404],
    handle: (services, { params, query: { base = 'head', path } }) =>
      inFolders(services, params.id, ({ roots: [folder] }, { createdAt }) =>
        services.inspector.tree.read({ folder, startedAt: createdAt, base, path, allowedRoots: services.inspector.allowedRoots }),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/files',
    role: 'viewer',
    summary: 'A folder or a file in the session’s folders',
    params: OfSession,
    query: FileQuery,
    answer: { status: 200, schema: FileAnswer },
    refusals: [404, 422],
    handle: (services, { params, query }) => inFolders(services, params.id, (folders) => readPath(folders, query.path ?? '.')),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/files/image',
    role: 'viewer',
    summary: 'An image in the session’s folders; its type comes from its bytes',
    params: OfSession,
    query: FileQuery,
    answer: { status: 200, contentType: 'image/png' },
    refusals: [404, 413, 422],
    handle: async (services, { params, query }) => {
      const image = await inFolders(services, params.id, (folders) => imageAt(folders, query.path ?? '.'));
      if (isRefusal(image)) return image;
      return { status: 200, body: image.body.bytes, headers: { 'content-type': image.body.type, 'content-security-policy': SANDBOX_CSP } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/timeline',
    role: 'viewer',
    summary: 'The session over time: turns, tools, waits, context and compactions, up to a limit',
    params: OfSession,
    answer: { status: 200, schema: SessionTimeline },
    refusals: [404],
    handle: (services, { params }) => ofSession(services, params.id, (session) => services.inspector.timeline.read(services, session)),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/runs',
    role: 'viewer',
    summary: 'Runs of the agent’s process: command line (secrets hidden), pid, start, end, exit, what the agent reported, and the end of its errors',
    params: OfSession,
    answer: { status: 200, schema: RunList },
    refusals: [404],
    handle: (services, { params }) => ofSession(services, params.id, (session) => readRuns(services, session)),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/raw',
    role: 'viewer',
    summary: 'Raw input and output lines of the agent, a page before or after a position',
    params: OfSession,
    query: RawQuery,
    answer: { status: 200, schema: RawPage },
    refusals: [404],
    handle: (services, { params, query }) => ofSession(services, params.id, (session) => readRaw(services, session, query)),
  }),
];

async function ofSession<T extends object>(
  services: Services,
  id: SessionId,
  read: (session: Session) => Promise<T | Refusal>,
): Promise<(Answer & { readonly body: T }) | Refusal> {
  const session = await anySession(services, id);
  const body = session === undefined ? noSession(id) : await read(session);
  return isRefusal(body) ? body : { status: 200, body };
}

const inFolders = <T extends object>(services: Services, id: SessionId, read: (folders: SessionFolders, session: Session) => Promise<T | Refusal>) =>
  ofSession(services, id, async (session) => {
    const folders = await foldersOf(services, session, services.inspector.allowedRoots);
    return isRefusal(folders) ? folders : read(folders, session);
  });
