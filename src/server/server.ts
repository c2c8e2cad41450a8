import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import fastifyWebsocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Engine } from '../engine/engine.ts';
import type { AllowedRoots } from '../folders/allowed-roots.ts';
import { EMPTY_INDEX, type SessionIndex } from '../index/session-index.ts';
import type { Problems } from '../problems/problems.ts';
import { CLOSE_CODES } from '../protocol/frame.ts';
import type { About } from '../protocol/http.ts';
import { LIMITS } from '../protocol/limits.ts';
import { createAnnotationsReader } from './annotations/annotations-reader.ts';
import { createAgentRefusals } from './auth/agent-refusals.ts';
import { createCookieJar } from './auth/cookie.ts';
import { addressesFor, createDevices } from './auth/devices.ts';
import { createAuthContext, passGate, sendUnauthorized } from './auth/gate.ts';
import type { HookTokens } from './auth/hook-tokens.ts';
import { createLinks } from './auth/links.ts';
import { mountPairing } from './auth/pairing.ts';
import type { RunTokens } from './auth/run-tokens.ts';
import { mountSignIn } from './auth/sign-in.ts';
import type { SignIns } from './auth/sign-ins.ts';
import type { Tokens } from './auth/tokens.ts';
import { createBlameReader } from './blame/blame.ts';
import { openSideQuestions } from './copies/side-questions.ts';
import { type Finish, openFinish } from './finish/finish.ts';
import { createHealthReader } from './http/health-reader.ts';
import { createHttpCounts, metricsText } from './http/metrics.ts';
import { mountRoutes } from './http/mount.ts';
import { openApiOf } from './http/openapi.ts';
import { createPanelReader } from './http/panel-reader.ts';
import type { SessionLists } from './http/route.ts';
import { ROUTES } from './http/routes/index.ts';
import { createTokenManager } from './http/routes/manage-tokens.ts';
import { mountWebFiles, sendIndex } from './http/web-files.ts';
import { createInspector, type RawFiles } from './inspector/inspector.ts';
import { openToolServer } from './mcp/tool-server.ts';
import { openShares } from './outside/shares.ts';
import type { WebhookManager } from './outside/webhook-manager.ts';
import type { Push } from './push/push.ts';
import type { Remote } from './remote/remote.ts';
import { sendError, sendUnexpectedError } from './shared/errors.ts';
import type { Log } from './shared/log.ts';
import type { PersonStates } from './shared/person-states.ts';
import type { SeenSessions } from './shared/seen-sessions.ts';
import { isSecure, type ServerSettings } from './shared/settings.ts';
import { openTerminalServer } from './terminals/terminal-server.ts';
import { createMomentReader } from './time/session-at.ts';
import { HEARTBEAT_MS, startHeartbeat } from './ws/heartbeat.ts';
import { type Hub, openHub } from './ws/hub.ts';
import { mountSocket } from './ws/socket-route.ts';

// Without a locale, schema errors don't say what is expected.
z.config(z.locales.en());

/** The largest body over a slow connection takes minutes; nobody can keep a request open longer than this. */
const REQUEST_MS = 300_000;

const ACCEPT = 'take new connections';
const NO_WEBHOOKS: WebhookManager = {
  list: () => [],
  add: async () => ({ refused: 'not-supported', message: 'This server sends no webhooks.' }),
  remove: async (id) => ({ refused: 'not-found', message: `There is no webhook ${id}.` }),
  resume: (id) => ({ refused: 'not-found', message: `There is no webhook ${id}.` }),
  close: async () => undefined,
};
const NO_HOOKS: HookTokens = { agentOf: () => undefined };
const NOWHERE: AllowedRoots = { roots: [], dataFolder: '/' };

export interface ServerParts {
  readonly engine: Engine;
  readonly sessionList: SessionLists;
  readonly sessionIndex?: SessionIndex;
  /** Folders where sessions may run; files in them are shown. */
  readonly allowedRoots?: AllowedRoots;
  /** Raw lines of runs. */
  readonly raw?: RawFiles;
  readonly config: ServerSettings;
  readonly tokens: Tokens;
  /** Tokens of running agents. */
  readonly runTokens: RunTokens;
  /** Tokens of hooks in terminals. */
  readonly hookTokens?: HookTokens;
  /** Which browsers are signed in. */
  readonly signIns: SignIns;
  /** What each person stores for themselves. */
  readonly states: PersonStates;
  /** What each person has seen. */
  readonly seen: SeenSessions;
  /** Notifies people when no page is open. */
  readonly push: Push;
  /** Tells other programs what happens. */
  readonly webhooks?: WebhookManager;
  /** Commits, pushes and pull requests of sessions. */
  readonly finish?: Finish;
  /** The other machines of the cluster. */
  readonly remote?: Remote;
  /** The built web files; when they are missing, a page says so. */
  readonly webDir: string;
  readonly version: string;
  /** The data folder, shown to people. */
  readonly dataFolder?: string;
  readonly log: Log;
  readonly problems: Problems;
  readonly heartbeatMs?: number;
  readonly helloLimitMs?: number;
  /** How long a call of a tool over HTTP waits for a person. */
  readonly toolWaitMs?: number;
  readonly now?: () => number;
}

export interface RunningServer {
  /** The address people open, without a token. */
  readonly url: string;
  /** The address for programs on this machine, with or without a proxy. */
  readonly localUrl: string;
  readonly port: number;
  /** Notifies every client, then releases the port. Can be called twice. */
  close(): Promise<void>;
}

/** Starts HTTP and sockets. Resolves when requests are accepted. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config, engine, problems, now = Date.now } = parts;
  const app = createApp(config);
  const hub = openHub(engine, parts.sessionIndex ?? EMPTY_INDEX, parts.seen, problems, parts.remote);
  await app.register(fastifyWebsocket, {
    options: { maxPayload: LIMITS.frameBytes, perMessageDeflate: false },
    preClose: (done) => closeClients(hub, done),
  });
  await mount(app, hub, parts, now);
  await app.listen({ host: config.host, port: config.port });
  app.server.on('error', (error) => problems.failed(ACCEPT, error)).on('connection', () => problems.worked(ACCEPT));
  const stopHeart = startHeartbeat(() => hub.clients(), parts, problems, parts.heartbeatMs ?? HEARTBEAT_MS);
  const port = portOf(app);
  return { url: addressOf(config, port), localUrl: localAddressOf(config, port), port, close: () => closeAll(app, hub, stopHeart) };
}

function createApp(config: ServerSettings): FastifyInstance {
  const { basePath, tls, publicUrl } = config;
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.frameBytes,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    // The proxy of --public-url runs on this machine; nobody else can set the address of a request.
    trustProxy: publicUrl === undefined ? false : 'loopback',
    routerOptions: { maxParamLength: 1000 },
    rewriteUrl: (request) => withoutBase(request.url ?? '/', basePath),
    ...(tls === undefined ? {} : { https: { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } }),
  });
  return app;
}

async function mount(app: FastifyInstance, hub: Hub, parts: ServerParts, now: () => number): Promise<void> {
  const { engine, sessionList, config, tokens, signIns, version, log, webDir } = parts;
  const counts = createHttpCounts();
  const jar = onceReady(app, (port) => createCookieJar({ port, path: config.basePath || '/', secure: isSecure(config) }));
  const links = createLinks({ signIns, tokens, basePath: config.basePath, now });
  const refusals = createAgentRefusals(engine, parts.problems);
  const auth = createAuthContext(
    { settings: config, tokens, runTokens: parts.runTokens, hookTokens: parts.hookTokens ?? NO_HOOKS, engine, refusals, signIns, links, jar },
    now,
  );
  const inspector = createInspector(parts);
  const tools = openToolServer({ engine, sessionList, sessionIndex: parts.sessionIndex ?? EMPTY_INDEX, inspector }, parts.problems, parts.toolWaitMs);
  app.addHook('onClose', async () => tools.close());
  const terminals = openTerminalServer(engine, parts.problems);
  app.addHook('preClose', async () => terminals.close());
  signIns.onEnd((id) => closeSignIn(hub, id));
  app.decorateRequest('identity', undefined);
  app.decorateRequest('signIn', undefined);
  app.decorateRequest('mayLoadPage', false);
  app.decorateRequest('agentRun', undefined);
  app.decorateRequest('hookAgent', undefined);
  app.decorateRequest('from', '');
  app.addHook('onRequest', (request, reply) => passGate(auth, request, reply));
  app.addHook('onResponse', async (request, reply) => counts.count(request.method, reply.statusCode));
  app.setErrorHandler((error, _request, reply) => sendUnexpectedError(error, reply, log));
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/') && request.identity === undefined) return sendUnauthorized(reply);
    // In a browser, the page itself says so and offers links.
    if (request.mayLoadPage && request.headers.accept?.includes('text/html')) return sendIndex(reply.code(404), webDir, config.basePath);
    return sendError(reply, 404, 'not-found', 'Nothing found at this address.');
  });
  acceptEmptyJson(app);
  const people = createTokenManager(tokens, engine, hub, signIns);
  const devices = createDevices(now, () => addressesFor(config, portOf(app)));
  const finish = parts.finish ?? openFinish({ engine, allowedRoots: NOWHERE, env: {}, log, problems: parts.problems });
  finish.watchPages((id) => [...hub.clients()].some(({ subscriptions }) => subscriptions.has(id)));
  parts.remote?.attach({ app, hub, engine, sessionIndex: parts.sessionIndex ?? EMPTY_INDEX, routes: ROUTES });
  mountRoutes(app, ROUTES, {
    remote: parts.remote,
    engine,
    sessionList,
    sessionIndex: parts.sessionIndex ?? EMPTY_INDEX,
    hidden: () => ({ sessions: [], conversations: [] }),
    health: createHealthReader(now),
    panel: createPanelReader(now),
    inspector,
    annotations: createAnnotationsReader(),
    blame: createBlameReader({ engine, sessionIndex: parts.sessionIndex ?? EMPTY_INDEX }, now),
    moments: createMomentReader(),
    states: parts.states,
    seen: parts.seen,
    push: parts.push,
    finish,
    sideQuestions: openSideQuestions({ engine, log, problems: parts.problems }),
    tokens: people,
    devices,
    tools,
    terminals,
    webhooks: parts.webhooks ?? NO_WEBHOOKS,
    shares: openShares({ engine, sessionIndex: parts.sessionIndex ?? EMPTY_INDEX, dataDir: parts.dataFolder ?? '/nowhere', basePath: config.basePath, now }),
    // Comments are for the people who work here.
    forShares: { engine: { ...engine, annotated: () => [] }, sessionIndex: parts.sessionIndex ?? EMPTY_INDEX },
    waitingNow: () => engine.permissions().length,
    links,
    version,
    about: aboutOf(parts, now()),
    metrics: () => metricsText(engine, counts, hub.stats()),
    openapi: () => openApiOf(ROUTES, { version, serverUrl: config.basePath || '/' }),
  });
  mountSignIn(app, auth);
  mountPairing(app, auth, devices, people);
  mountSocket(app, {
    engine,
    sessionIndex: parts.sessionIndex ?? EMPTY_INDEX,
    hub,
    remote: parts.remote,
    tokens,
    signIns,
    cookies: (request) => jar().read(request.headers.cookie),
    helloLimitMs: parts.helloLimitMs,
    serverId: randomUUID(),
    log,
    problems: parts.problems,
  });
  await mountWebFiles(app, webDir, config.basePath);
}

const aboutOf = ({ version, dataFolder }: ServerParts, now: number): About => ({
  version,
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  hostname: hostname(),
  startedAt: new Date(now).toISOString(),
  ...(dataFolder !== undefined && { dataFolder }),
});

/** The cookie's name contains the port, which is known only once the server listens. */
function onceReady<T>(app: FastifyInstance, make: (port: number) => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make(portOf(app));
    return made;
  };
}

/** Many programs send `content-type: application/json` with an empty body. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    return parse(request, String(body), done);
  });
}

/** A proxy can keep the base path or strip it: both reach the same routes. */
function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

function portOf(app: FastifyInstance): number {
  const address: AddressInfo | string | null = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function addressOf(config: ServerSettings, port: number): string {
  const { publicUrl, basePath } = config;
  if (publicUrl === undefined) return localAddressOf(config, port);
  const address = publicUrl.replace(/\/$/, '');
  return address.endsWith(basePath) ? address : `${address}${basePath}`;
}

export function localAddressOf({ host, tls, basePath }: ServerSettings, port: number): string {
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}${basePath}`;
}

/** Signing out closes every tab's socket immediately. */
function closeSignIn(hub: Hub, id: string): void {
  for (const client of hub.clients()) if (client.signIn === id) client.close(CLOSE_CODES.unauthorised, 'You signed out');
}

function closeClients(hub: Hub, done: () => void): void {
  for (const client of hub.clients()) client.close(CLOSE_CODES.goingAway, 'The server is stopping');
  done();
}

async function closeAll(app: FastifyInstance, hub: Hub, stopHeart: () => void): Promise<void> {
  stopHeart();
  hub.close();
  await app.close();
}
