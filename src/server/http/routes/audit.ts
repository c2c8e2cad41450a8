import * as z from 'zod/mini';
import { AuditList, AuditQuery } from '../../../protocol/api/audit.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import { auditStream, EXPORT_TYPES } from '../audit-export.ts';
import { type Route, route } from '../route.ts';

export const AUDIT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/audit',
    role: 'driver',
    summary:
      'Who did what, newest first. Owners see everything; others see their own entries and those of sessions they can see. With `format`, exports everything',
    query: z.extend(AuditQuery, { format: z.optional(z.enum(['json', 'ndjson', 'csv'])) }),
    answer: { status: 200, schema: AuditList },
    handle: ({ engine }, { query: { format = 'json', limit = LIMITS.pageDefault, after, before, ...rest } }) => {
      const question = { ...rest, after: inUtc(after), before: inUtc(before) };
      if (format !== 'json') return { status: 200, body: auditStream(engine, question, format), headers: exportHeaders(format) };
      const entries = engine.audit({ ...question, limit: limit + 1 });
      const page = entries.slice(0, limit);
      const body = { entries: page, ...(entries.length > limit && { nextCursor: page.at(-1)?.id }), ...(!engine.isAuditComplete() && { incomplete: true }) };
      return { status: 200, body };
    },
  }),
];

/** Times are compared as text, so they must have the same format. */
const inUtc = (time: string | undefined): string | undefined => (time === undefined ? undefined : new Date(time).toISOString());

const exportHeaders = (format: keyof typeof EXPORT_TYPES): Record<string, string> => ({
  'content-type': EXPORT_TYPES[format],
  'content-disposition': `attachment; filename="signalbox-audit.${format}"`,
});
