import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Adapter } from './agents/adapter.ts';
import { agentsWith, PAST_AGENTS } from './agents/index.ts';
import type { Config } from './config.ts';
import { readAgentFile } from './engine/continue/read-agent-file.ts';
import type { Locator, Log } from './engine/deps.ts';
import { type OpenEngine, openEngine } from './engine/open-engine.ts';
import { createSecrets } from './engine/secrets.ts';
import type { Grounds } from './folders/allowed-roots.ts';
import type { Host } from './host/host.ts';
import { openHost } from './host/open-host.ts';
import { openViews } from './index/list/open-session-list.ts';
import type { SessionPage, Views } from './index/list/session-list.ts';
import { OpenLibrary } from './index/open-session-index.ts';
import { dropLibraryAhead } from './index/store/drop-index.ts';
import type { Journal } from './journal/journal.ts';
import { openSqliteJournal } from './journal/sqlite/open-journal.ts';
import { openNode } from './node-id.ts';
import { BUILT_LIBRARY_WORKERS, BUILT_VIEWS_WORKER, PACKAGE_ROOT } from './package-info.ts';
import type { Problems } from './problems/problems.ts';
import { agentEnvs } from './programs/agent-environments.ts';
import { inheritable } from './programs/environment.ts';
import { createLocator } from './programs/locator.ts';
import type { SessionQuery } from './protocol/http.ts';

/** The floors below the server, opened on one data folder. */
export interface House {
  readonly engine: OpenEngine;
  readonly host: Host;
  readonly journal: Journal;
  readonly views: Views;
  /** Past sessions, search and usage. */
  readonly library: OpenLibrary;
  /** Where sessions may be. */
  readonly grounds: Grounds;
  /** Sessions as lists show them, with everything that happened before the question. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Agents go on unless told otherwise. May be called twice. */
  close(options?: { readonly stopAgents?: boolean }): Promise<void>;
}

export interface HouseOptions {
  readonly config: Pick<
    Config,
    'data' | 'maxLive' | 'maxMemoryMb' | 'idleMinutes' | 'reserveMb' | 'roots' | 'agentPaths' | 'agentRuntimes' | 'configuredAgents' | 'allowBypass'
  >;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Told what fails outside a request and is tried again. */
  readonly problems: Problems;
  readonly agents?: readonly Adapter[];
}

/** An agent answers an interrupt in milliseconds; one that does not within this time is stuck. */
const GRACES = { interruptMs: 3000, obeyMs: 10_000 };

/** Opens host, journal and engine; what cannot be opened says why in words and leaves nothing held. */
export async function openHouse({ config, env, log, problems, agents = agentsWith(config.configuredAgents) }: HouseOptions): Promise<House> {
  let engine: OpenEngine | undefined;
  let library: OpenLibrary | undefined;
  const diskChanged = (low: boolean): void => {
    engine?.diskChanged(low);
    library?.diskChanged(low);
  };
  const limits = { reserveBytes: config.reserveMb * 1024 * 1024 };
  const host = openHost({ dataDir: config.data, limits, onDisk: (low) => diskChanged(low), problems });
  const journal = await orRelease(host, () => openSqliteJournal({ dataDir: config.data }));
  const views = openViews({
    dataDir: config.data,
    problems,
    onEmptied: () => {
      offerAll(engine, views, journal);
      library?.offerAll();
    },
    ...(BUILT_VIEWS_WORKER && { workerUrl: BUILT_VIEWS_WORKER }),
  });
  const clean = inheritable(env);
  const grounds = { roots: realRoots(config.roots), dataFolder: realpathSync(config.data) };
  const machine = { node: openNode(config.data).id, hostname: hostname(), platform: process.platform };
  if (dropLibraryAhead(config.data, journal.position())) log.warn({}, 'the library knew more than the journal has, and is made anew');
  const past = new OpenLibrary({
    dataDir: config.data,
    env: clean,
    runtimes: config.agentRuntimes,
    agents: PAST_AGENTS.map(({ id, title, icon }) => ({ id, title, icon })),
    machine,
    views,
    refill: () => offerAll(engine, views, journal),
    log,
    problems,
    ...(BUILT_LIBRARY_WORKERS && { urls: BUILT_LIBRARY_WORKERS }),
  });
  library = past;
  engine = openEngine({
    past: past.past,
    journal,
    host,
    adapters: new Map(agents.map((adapter) => [adapter.id, adapter])),
    locator: locatorFor(config, clean),
    settings: {
      maxLive: config.maxLive,
      maxMemoryBytes: config.maxMemoryMb * 1024 * 1024,
      idleMinutes: config.idleMinutes,
      ...grounds,
      allowBypass: config.allowBypass,
      graces: GRACES,
    },
    machine: { ...machine, isRoot: process.getuid?.() === 0 },
    now: () => new Date(),
    newId: randomUUID,
    envFor: agentEnvs(clean, config.agentRuntimes),
    backupFolder: join(config.data, 'backups'),
    readAgentFile,
    secrets: createSecrets(config.data),
    onSummary: (session, position) => {
      past.journalMoved();
      if (typeof session === 'string') views.remove(session, position);
      else views.offer(session, position);
    },
    log,
    problems,
  });
  // It may have turned low before there was an engine to tell.
  past.attach(engine);
  if (host.stats().diskLow) diskChanged(true);
  const isCaughtUp = catchUp(engine, views, journal);
  isCaughtUp.catch((error) => log.error({ error }, 'the lists could not be brought up to date'));
  const floors = { engine, host, journal, views, library: past, grounds };
  const list: House['list'] = async (query) => {
    await isCaughtUp;
    return views.list(query, journal.position());
  };
  return { ...floors, list, close: (options) => closeHouse(floors, options?.stopAgents ?? false) };
}

/** Lists are brought up to date with what happened since they were last written: cheap when nothing did. */
async function catchUp(engine: OpenEngine, views: Views, journal: Journal): Promise<void> {
  const cursor = await views.cursor();
  keepNurserySmall();
  if (cursor === journal.position()) return;
  offerAll(engine, views, journal);
  await views.keepOnly(engine.sessions().map((session) => session.id));
}

/** bin/signalbox.mjs has set this already and says why; but Node 20.20 forgets it when a worker starts, and the views have one, which has just answered. */
const keepNurserySmall = (): void => setFlagsFromString('--semi-space-growth-factor=1');

function offerAll(engine: OpenEngine | undefined, views: Views, journal: Journal): void {
  for (const session of engine?.sessions() ?? []) views.offer(session, journal.position());
}

export const locatorFor = ({ agentPaths, agentRuntimes }: Pick<Config, 'agentPaths' | 'agentRuntimes'>, env: Readonly<Record<string, string>>): Locator =>
  createLocator({ envFor: agentEnvs(env, agentRuntimes), packageRoot: PACKAGE_ROOT, paths: agentPaths, runtimes: agentRuntimes });

async function orRelease<T>(host: Host, open: () => T): Promise<T> {
  try {
    return open();
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** A root that is not there allows nothing. */
function realRoots(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => {
    try {
      return [realpathSync(root)];
    } catch {
      return [];
    }
  });
}

async function closeHouse({ engine, host, journal, views, library }: Omit<House, 'close' | 'list' | 'grounds'>, stopAgents: boolean): Promise<void> {
  await engine.close({ stopAgents });
  await library.close();
  await host.close();
  await views.close();
  journal.close();
}
