import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { EXPORT_CSP } from '../../../domain/export/html.ts';
import { ExportFormat } from '../../../protocol/http.ts';
import type { Session } from '../../../protocol/session.ts';
import { mayActAs } from '../../auth/roles.ts';
import { anySession } from '../../shared/transcripts.ts';
import { exportDocument } from '../export-document.ts';
import { recordingOf } from '../recording.ts';
import { type Route, route } from '../route.ts';
import { noSession, OfSession } from './session.ts';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  recording: 'application/x-ndjson; charset=utf-8',
};

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = { md: 'md', html: 'html', json: 'json', recording: 'recording.ndjson' };

export const EXPORT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/export',
    role: 'viewer',
    summary: 'Export the session as Markdown, one self-contained HTML file, JSON, or a recording that `signalbox replay` reads',
    params: OfSession,
    query: z.object({ format: z._default(ExportFormat, 'md'), unscrubbed: z.optional(z.literal('true')) }),
    answer: { status: 200, contentType: 'text/markdown' },
    refusals: [404],
    handle: async (services, { params, query: { format, unscrubbed }, role }) => {
      if (unscrubbed !== undefined && format !== 'recording') return { refused: 'bad-request', message: '`unscrubbed` is only for `format=recording`.' };
      if (unscrubbed !== undefined && !mayActAs(role, 'owner'))
        return { refused: 'not-permitted', message: 'Only owners can export a recording with its secrets.' };
      const session = await anySession(services, params.id);
      if (session === undefined) return noSession(params.id);
      const document = format === 'recording' ? recordingOf(services, session, unscrubbed === undefined) : exportDocument(services, session, format);
      const body = Readable.from(document, { objectMode: false });
      return { status: 200, body, headers: headersOf(session, format) };
    },
  }),
];

const headersOf = (session: Session, format: ExportFormat): Record<string, string> => ({
  'content-type': TYPES[format],
  'content-disposition': `attachment; filename="${fileName(session)}.${EXTENSIONS[format]}"`,
  // The page contains what an agent wrote: if a browser opens it, nothing runs and it has no origin.
  'content-security-policy': `${EXPORT_CSP}; frame-ancestors 'none'; sandbox`,
});

/** Letters, digits and dashes only: the name goes into a header and onto any file system. */
function fileName({ title, id }: Session): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase();
  return words === '' ? `session-${id}` : `${words}-${id.slice(0, 12)}`;
}
