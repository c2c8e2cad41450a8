import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { API } from '../../src/client/routes.ts';
import type { Schema } from '../../src/server/http/route.ts';
import { ROUTES } from '../../src/server/http/routes/index.ts';

interface Row {
  readonly query?: Schema;
  readonly body?: Schema;
  readonly answer?: Schema;
}
const rows: Readonly<Record<string, Row>> = API;
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

/** A schema in words, without what only the server checks or adds. */
function shapeOf(schema: Schema | undefined, io: 'input' | 'output'): unknown {
  if (schema === undefined) return undefined;
  const known = (key: string, value: unknown): unknown => (['$schema', 'default', 'additionalProperties', 'maxLength'].includes(key) ? undefined : value);
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), known));
}

/** A body that can be left out. */
const isOptional = (schema: Schema | undefined): boolean => schema === undefined || z.safeParse(schema, undefined).success;

/** For a body of `null` or an object: the object. */
function objectIn(shape: unknown): unknown {
  const parsed = z.safeParse(z.object({ anyOf: z.array(z.record(z.string(), z.unknown())) }), shape);
  return parsed.success ? parsed.data.anyOf.find(({ type }) => type !== 'null') : shape;
}

test('[R578] the typed client has a row for every route of the server, and no other', () => {
  expect(Object.keys(API).toSorted()).toEqual(ROUTES.map(nameOf).toSorted());
});

test.each(ROUTES.map((route) => [nameOf(route), route] as const))('[R578] the typed client takes and returns what the server does: %s', (name, route) => {
  const row = rows[name];
  expect(shapeOf(row?.query, 'input')).toEqual(shapeOf(route.query, 'input'));
  expect(objectIn(shapeOf(row?.body, 'input'))).toEqual(objectIn(shapeOf(route.body, 'input')));
  expect(isOptional(row?.body)).toBe(isOptional(route.body));
  expect(shapeOf(row?.answer, 'output')).toEqual(shapeOf(route.answer.schema, 'output'));
});
