import * as z from 'zod/mini';
import type { Engine } from '../../engine/engine.ts';
import type { Hidden, SessionIndex } from '../../index/session-index.ts';
import type { Actor, Role } from '../../protocol/actor.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { About, KnownToken, SessionQuery } from '../../protocol/http.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { AnnotationsReader } from '../annotations/annotations-reader.ts';
import type { Devices } from '../auth/devices.ts';
import type { Links } from '../auth/links.ts';
import type { BlameReader } from '../blame/blame.ts';
import type { SideQuestions } from '../copies/side-questions.ts';
import type { Finish } from '../finish/finish.ts';
import type { Inspector } from '../inspector/inspector.ts';
import type { ToolServer } from '../mcp/tool-server.ts';
import type { Shares } from '../outside/shares.ts';
import type { WebhookManager } from '../outside/webhook-manager.ts';
import type { Push } from '../push/push.ts';
import type { Remote } from '../remote/remote.ts';
import { faultOfIssues, faultOfUnknown } from '../shared/errors.ts';
import type { PersonStates } from '../shared/person-states.ts';
import type { SeenSessions } from '../shared/seen-sessions.ts';
import { unknownFieldIn } from '../shared/unknown-fields.ts';
import type { TerminalServer } from '../terminals/terminal-server.ts';
import type { MomentReader } from '../time/session-at.ts';
import type { HealthReader } from './health-reader.ts';
import type { PanelReader } from './panel-reader.ts';

/** How lists are read; `src/index/list` implements it. */
export interface SessionLists {
  list(query: SessionQuery): SessionPage | Promise<SessionPage>;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly nextCursor?: string | undefined;
}

/** Everything a handler can use. */
export interface Services {
  readonly engine: Engine;
  readonly sessionList: SessionLists;
  readonly sessionIndex: SessionIndex;
  /** What the caller can't see. */
  readonly hidden: () => Hidden;
  readonly health: HealthReader;
  readonly panel: PanelReader;
  readonly inspector: Inspector;
  readonly annotations: AnnotationsReader;
  readonly blame: BlameReader;
  readonly moments: MomentReader;
  readonly states: PersonStates;
  readonly seen: SeenSessions;
  readonly push: Push;
  readonly finish: Finish;
  readonly sideQuestions: SideQuestions;
  readonly tokens: TokenManager;
  /** Adds devices by one-time codes. */
  readonly devices: Devices;
  readonly tools: ToolServer;
  readonly terminals: TerminalServer;
  readonly webhooks: WebhookManager;
  readonly shares: Shares;
  /** What the document behind a link is made from: its link is checked first. */
  readonly forShares: Pick<Services, 'engine' | 'sessionIndex'>;
  /** How many requests need somebody, in all sessions. */
  readonly waitingNow: () => number;
  /** The other machines of the cluster; undefined without one. */
  readonly remote: Remote | undefined;
  readonly links: Pick<Links, 'sign'>;
  readonly version: string;
  readonly about: About;
  readonly metrics: () => string;
  readonly openapi: () => unknown;
}

/** Creates and revokes tokens, each time in somebody's name. */
export interface TokenManager {
  list(): readonly KnownToken[];
  /** The secret is returned only here. */
  /** With `person`, the token of that person's device. */
  add(name: string, role: Role, by: Actor, person?: string): Promise<{ readonly secret: string } | Refusal>;
  revoke(name: string, by: Actor): Promise<{ readonly name: string } | Refusal>;
}

export type Schema = z.ZodMiniType;

interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly actor: Actor;
  /** The caller's role. */
  readonly role: Role;
  /** The sign-in of the browser that sent the request, if it was one. */
  readonly signIn?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Aborted once nobody waits for the answer anymore. */
  readonly gone: AbortSignal;
  /** The run of the agent whose token was sent. */
  readonly run?: RunId | undefined;
  /** The agent whose hooks sent it, with their token. */
  readonly hook?: AgentId | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Shape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Fastify's syntax: `/api/sessions/:id`. */
  readonly path: string;
  readonly role: Role | 'public';
  readonly summary: string;
  /** A refusal because of the caller's role leaves a line in the audit. */
  readonly isAudited?: boolean;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly answer: { readonly status: number; readonly schema?: Schema; readonly contentType?: string };
  /** Error statuses to expect in addition to 400, 401 and 403. */
  readonly refusals?: readonly number[];
}

type Out<S extends Schema> = z.infer<S>;

interface Definition<P extends Schema, Q extends Schema, B extends Schema> extends Shape {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  handle(services: Services, call: Call<Out<P>, Out<Q>, Out<B>>): Answer | Refusal | Promise<Answer | Refusal>;
}

/** One row of the table. The same schemas validate requests and appear in OpenAPI. */
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
        run: raw.run,
        hook: raw.hook,
        headers: raw.headers,
        gone: raw.gone,
        params: checked(definition.params, raw.params, 'address'),
        query: known(definition.query, raw.query, 'query'),
        body: known(definition.body, raw.body, 'body'),
      }),
  };
}

/** Checked, and without anything that the schema doesn't name. A route without a schema takes nothing. */
function known<S extends Schema>(schema: S | undefined, value: unknown, where: 'query' | 'body'): Out<S> {
  const data = checked(schema, value, where);
  const unknown = unknownFieldIn(schema ?? NOTHING, value);
  if (unknown !== undefined) throw faultOfUnknown(unknown, where);
  return data;
}

const NOTHING = z.object({});

function checked<S extends Schema>(schema: S | undefined, value: unknown, where: string): Out<S> {
  if (schema === undefined) return undefined as Out<S>;
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw faultOfIssues(parsed.error, where);
  return parsed.data;
}
