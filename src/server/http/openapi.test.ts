import { expect, test } from 'vitest';
import { openApiOf } from './openapi.ts';
import { ROUTES } from './routes/index.ts';

const description = JSON.parse(JSON.stringify(openApiOf(ROUTES, { version: '1.2.3', serverUrl: '/' })));

test('the description names every route of the table, once', () => {
  const named = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(named.sort()).toEqual(ROUTES.map((route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`).sort());
  expect(description.openapi).toBe('3.1.0');
});

test('operation ids are unique and every parameter in a path is described', () => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.values(methods as Record<string, { operationId: string; parameters: { name: string; in: string }[] }>).map((operation) => ({ path, operation })),
  );
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  }
});

test('[R290] a cookie is described together with its key, and a signed link for everything readable with GET', () => {
  expect(description.security).toEqual([{ bearer: [] }, { cookie: [], key: [] }]);
  expect(description.components.securitySchemes.key).toMatchObject({ in: 'header', name: 'X-Signalbox-Key' });
  expect(description.paths['/api/sessions'].get.security).toEqual([...description.security, { link: [] }]);
  expect([description.paths['/api/sessions'].post.security, description.paths['/metrics'].get.security]).toEqual([undefined, undefined]);
});

test('bodies and answers use the schemas that validate', () => {
  const input = description.paths['/api/sessions/{id}/input'].post;
  expect(input.requestBody.content['application/json'].schema).toMatchObject({ type: 'object', required: ['text'] });
  expect(input.responses['202'].content['application/json'].schema.required).toEqual(['commandId', 'seq', 'queued']);
  expect(input.responses['413'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
  expect(description.paths['/api/sessions/{id}/stop'].post.requestBody.required).toBe(false);
  expect(description.paths['/healthz'].get.security).toEqual([]);
});
