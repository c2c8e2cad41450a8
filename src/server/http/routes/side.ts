import { ChangesQuery, SessionChanges, TreeQuery, WorkingTree } from '../../../protocol/api/changes.ts';
import { FileAnswer, FileQuery } from '../../../protocol/api/folder.ts';
import { RawPage, RawQuery } from '../../../protocol/api/raw.ts';
import { SessionTimeline } from '../../../protocol/api/timeline.ts';
import { isRefusal, type Refusal } from '../../../protocol/command.ts';
import type { SessionId } from '../../../protocol/ids.ts';
import type { Session } from '../../../protocol/session.ts';
import { SANDBOX_CSP } from '../../auth/headers.ts';
import { imageAt, lookAt } from '../../inspector/read-folder.ts';
import { readRaw } from '../../inspector/read-raw.ts';
import { foldersOf, type SessionFolders } from '../../inspector/session-folders.ts';
import { anySession } from '../../transcripts.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';
import { noSession, OfSession } from './session.ts';

/** What stands beside a transcript. Whoever may see the session may see these. */
export const SIDE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/changes',
    role: 'viewer',
    summary: 'Files that the tools of the session changed, with their patches; with a path, of one file',
    params: OfSession,
    query: ChangesQuery,
    answer: { status: 200, schema: SessionChanges },
    refusals: [404],
    handle: (services, { params, query }) => ofSession(services, params.id, (session) => services.sides.changes.read(services, session, query.path)),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/tree',
    role: 'viewer',
    summary: 'What in the folder is not as a commit has it: HEAD, or the one at which the session began; with a path, how that file differs',
    params: OfSession,
    query: TreeQuery,
    answer: { status: 200, schema: WorkingTree },
    refusals: [404],
    handle: (services, { params, query: { base = 'head', path } }) =>
      inFolders(services, params.id, ({ roots: [folder] }, { createdAt }) =>
        services.sides.tree.read({ folder, startedAt: createdAt, base, path, grounds: services.sides.grounds }),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/files',
    role: 'viewer',
    summary: 'A folder or a file of the session’s folders',
    params: OfSession,
    query: FileQuery,
    answer: { status: 200, schema: FileAnswer },
    refusals: [404, 422],
    handle: (services, { params, query }) => inFolders(services, params.id, (folders) => lookAt(folders, query.path ?? '.')),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/files/image',
    role: 'viewer',
    summary: 'An image of the session’s folders, by what its bytes are',
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
    summary: 'The session over time: turns, tools, waits, context and compactions, within a bound',
    params: OfSession,
    answer: { status: 200, schema: SessionTimeline },
    refusals: [404],
    handle: (services, { params }) => ofSession(services, params.id, (session) => services.sides.timeline.read(services, session)),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/raw',
    role: 'viewer',
    summary: 'The very lines that the agent printed or was given, a page before or after a place',
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
    const folders = await foldersOf(services, session, services.sides.grounds);
    return isRefusal(folders) ? folders : read(folders, session);
  });
