import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { EXPORT_CSP } from '../../../../domain/export/html.ts';
import { ShareBody, SharedLink, ShareId, ShareList } from '../../../../protocol/api/outside/outside.ts';
import { isRefusal } from '../../../../protocol/command.ts';
import { anySession } from '../../../shared/transcripts.ts';
import { exportDocument } from '../../export-document.ts';
import { type Route, route } from '../../route.ts';
import { noSession, OfSession } from '../session.ts';

/** Links that show one session, read-only, until they expire. */
export const SHARE_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/sessions/:id/share',
    role: 'owner',
    isAudited: true,
    summary: 'A link that shows this session, read-only, until it expires',
    params: OfSession,
    body: ShareBody,
    answer: { status: 201, schema: SharedLink },
    refusals: [404, 409, 422],
    handle: async (services, { params, body, actor }) => {
      if ((await anySession(services, params.id)) === undefined) return noSession(params.id);
      const link = await services.shares.create(params.id, body.expiresAt, actor);
      return isRefusal(link) ? link : { status: 201, body: link };
    },
  }),
  route({
    method: 'GET',
    path: '/api/shares',
    role: 'owner',
    summary: 'Every link to a session, expired ones included',
    answer: { status: 200, schema: ShareList },
    handle: ({ shares }) => ({ status: 200, body: { shares: shares.list() } }),
  }),
  route({
    method: 'DELETE',
    path: '/api/shares/:id',
    role: 'owner',
    summary: 'Revoke a link at once',
    params: z.object({ id: ShareId }),
    answer: { status: 200 },
    refusals: [404],
    handle: async ({ shares }, { params, actor }) => (await shares.revoke(params.id, actor)) ?? { status: 200, body: { id: params.id } },
  }),
  route({
    method: 'GET',
    path: '/share/:link',
    role: 'public',
    summary: 'The session behind a link, as one HTML document',
    params: z.object({ link: z.string() }),
    answer: { status: 200, contentType: 'text/html' },
    handle: async (services, { params, headers }) => {
      const session = await services.shares.open(params.link);
      if (session === undefined && !String(headers.accept).includes('text/html')) return { refused: 'not-found', message: GONE };
      if (session === undefined) return { status: 404, body: `${GONE}\n`, headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' } };
      const body = Readable.from(exportDocument({ ...services, ...services.forShares }, session, 'html'), { objectMode: false });
      return { status: 200, body, headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' } };
    },
  }),
];

const GONE = 'This link is not valid: it has expired, or somebody revoked it. Ask for a new one.';

/** The document contains what an agent wrote: nothing runs in it, and it has no origin. */
const HEADERS = { 'content-security-policy': `${EXPORT_CSP}; frame-ancestors 'none'; sandbox`, 'x-robots-tag': 'noindex, nofollow' };
