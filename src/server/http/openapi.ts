import * as z from 'zod/mini';
import { SIGNED_PARAMETER } from '../../protocol/api/sign-in.ts';
import { ErrorBody } from '../../protocol/http.ts';
import type { Route, Schema } from './route.ts';

type Json = Record<string, unknown>;

/** A program sends its token; a page sends its cookie together with its key. */
const SECURITY = [{ bearer: [] }, { cookie: [], key: [] }];

/** OpenAPI 3.1 from the same table that validates requests. */
export function openApiOf(routes: readonly Route[], about: { readonly version: string; readonly serverUrl: string }): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z0-9]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox',
      version: about.version,
      description: 'Start, watch, steer and approve the work of coding agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.serverUrl }],
    security: SECURITY,
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'signalbox_<port>', description: 'Names a sign-in of a browser. Alone it opens nothing of the API.' },
        key: { type: 'apiKey', in: 'header', name: 'X-Signalbox-Key', description: 'The key of the same sign-in, which only pages of this server can read.' },
        link: {
          type: 'apiKey',
          in: 'query',
          name: SIGNED_PARAMETER,
          description: 'The signature of a link of POST /api/links: for GET, for 60 seconds, for exactly that address.',
        },
      },
      schemas: { Error: jsonOf(ErrorBody, 'output') },
    },
  };
}

function operationOf(route: Route): Json {
  return {
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z0-9]+(.)?/g, (_all, next: string | undefined) => (next ?? '').toUpperCase())}`,
    ...(route.role === 'public' ? { security: [] } : { description: `Needs the role ${route.role}.` }),
    ...(route.method === 'GET' && route.path.startsWith('/api/') && { security: [...SECURITY, { link: [] }] }),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: !z.safeParse(route.body, undefined).success, content: jsonContent(jsonOf(route.body, 'input')) } }),
    responses: responsesOf(route),
  };
}

function responsesOf(route: Route): Json {
  const content = route.answer.schema === undefined ? { [route.answer.contentType ?? 'text/plain']: {} } : jsonContent(jsonOf(route.answer.schema, 'output'));
  const refusals = route.role === 'public' ? [] : [400, 401, 403, ...(route.refusals ?? [])];
  const error = { description: 'Refused; the message says why', content: jsonContent({ $ref: '#/components/schemas/Error' }) };
  return { [route.answer.status]: { description: route.summary, content }, ...Object.fromEntries(refusals.map((status) => [status, error])) };
}

function parametersOf(schema: Schema | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.parse(ObjectSchema, jsonOf(schema, 'input'));
  return Object.entries(properties).map(([name, of]) => ({ name, in: place, required: place === 'path' || required.includes(name), schema: of }));
}

const ObjectSchema = z.object({ properties: z.optional(z.record(z.string(), z.unknown())), required: z.optional(z.array(z.string())) });
const jsonContent = (schema: unknown): Json => ({ 'application/json': { schema } });

function jsonOf(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
