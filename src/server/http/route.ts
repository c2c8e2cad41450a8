import * as z from 'zod/mini';
import type { Engine } from '../../engine/engine.ts';
import type { Hidden, Library } from '../../index/session-index.ts';
import type { Actor, Role } from '../../protocol/actor.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { About, KnownToken, SessionQuery } from '../../protocol/http.ts';
import type { Session } from '../../protocol/session.ts';
import type { Links } from '../auth/links.ts';
import type { Sides } from '../inspector/inspector.ts';
import type { PersonStates } from '../person-states.ts';
import type { Push } from '../push/push.ts';
import { faultOfIssues } from './errors.ts';
import type { HealthReader } from './health-reader.ts';
import type { PanelReader } from './panel-reader.ts';

/** How lists are read; `views/` implements it. */
export interface SessionLists {
  list(query: SessionQuery): SessionPage | Promise<SessionPage>;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly nextCursor?: string | undefined;
}

/** Everything a handler may ask. */
export interface Services {
  readonly engine: Engine;
  readonly views: SessionLists;
  readonly library: Library;
  /** What the one who asks may not see. */
  readonly hidden: () => Hidden;
  readonly health: HealthReader;
  readonly panel: PanelReader;
  readonly sides: Sides;
  readonly states: PersonStates;
  readonly push: Push;
  readonly tokens: TokenDesk;
  readonly links: Pick<Links, 'sign'>;
  readonly version: string;
  readonly about: About;
  readonly metrics: () => string;
  readonly openapi: () => unknown;
}

/** Where tokens are given and taken away, each time in the name of somebody. */
export interface TokenDesk {
  list(): readonly KnownToken[];
  /** The secret, this once. */
  add(name: string, role: Role, by: Actor): Promise<{ readonly secret: string } | Refusal>;
  revoke(name: string, by: Actor): Promise<{ readonly name: string } | Refusal>;
}

export type Schema = z.ZodMiniType;

interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly actor: Actor;
  /** What the one who asks may do. */
  readonly role: Role;
  /** The sign-in of the browser that asks, when it is one. */
  readonly signIn?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Shape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As Fastify writes it: `/api/sessions/:id`. */
  readonly path: string;
  readonly role: Role | 'public';
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly answer: { readonly status: number; readonly schema?: Schema; readonly contentType?: string };
  /** Refusals a caller must expect besides 400, 401, 403. */
  readonly refusals?: readonly number[];
}

type Out<S extends Schema> = z.infer<S>;

interface Definition<P extends Schema, Q extends Schema, B extends Schema> extends Shape {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  handle(services: Services, call: Call<Out<P>, Out<Q>, Out<B>>): Answer | Refusal | Promise<Answer | Refusal>;
}

/** One line of the table: what OpenAPI prints and what validates are the same schemas. */
export interface Route extends Shape {
  run(services: Services, raw: Call<unknown, unknown, unknown>): Answer | Refusal | Promise<Answer | Refusal>;
}

export function route<P extends Schema = Schema, Q extends Schema = Schema, B extends Schema = Schema>(definition: Definition<P, Q, B>): Route {
  const { handle, ...shape } = definition;
  return {
    ...shape,
    run: (services, raw) =>
      handle(services, {
        actor: raw.actor,
        role: raw.role,
        signIn: raw.signIn,
        params: checked(definition.params, raw.params, 'address'),
        query: checked(definition.query, raw.query, 'query'),
        body: checked(definition.body, raw.body, 'body'),
      }),
  };
}

function checked<S extends Schema>(schema: S | undefined, value: unknown, where: string): Out<S> {
  if (schema === undefined) return undefined as Out<S>;
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw faultOfIssues(parsed.error, where);
  return parsed.data;
}
