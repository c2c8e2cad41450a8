import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { keepYoungGenerationSmall } from '../bin/v8-flags.mjs';
import { agentsWith, PAST_AGENTS, SCRIPT_AGENT } from './agents/index.ts';
import type { Adapter } from './agents/port/adapter.ts';
import type { Config } from './config.ts';
import { readAgentFile } from './engine/continue/read-agent-file.ts';
import type { EngineDeps } from './engine/loop/engine-deps.ts';
import { type OpenEngine, openEngine } from './engine/open-engine.ts';
import { createSecrets } from './engine/secrets.ts';
import type { AllowedRoots } from './folders/allowed-roots.ts';
import type { Host } from './host/host.ts';
import { openHost } from './host/open-host.ts';
import { dropIndexAhead } from './index/list/drop-index.ts';
import { openSessionList } from './index/list/open-session-list.ts';
import type { SessionList, SessionPage } from './index/list/session-list.ts';
import { OpenSessionIndex } from './index/open-session-index.ts';
import type { Journal } from './journal/journal.ts';
import { openSqliteJournal } from './journal/sqlite/open-journal.ts';
import { type Node, openNode } from './node-id.ts';
import { BUILT_INDEX_THREADS, BUILT_LIST_WORKER, PACKAGE_ROOT } from './package-info.ts';
import type { Log } from './problems/log.ts';
import type { Problems } from './problems/problems.ts';
import { agentEnvs } from './programs/agent-environments.ts';
import { inheritable } from './programs/environment.ts';
import type { Locator } from './programs/located.ts';
import { createLocator } from './programs/locator.ts';
import type { SessionQuery } from './protocol/http.ts';
import { isInternal } from './protocol/ids.ts';
import type { Session } from './protocol/session.ts';

/** Everything below the server, opened on one data folder. */
export interface App {
  readonly engine: OpenEngine;
  readonly host: Host;
  readonly journal: Journal;
  readonly sessionList: SessionList;
  /** Past sessions, search and usage. */
  readonly sessionIndex: OpenSessionIndex;
  /** Folders where sessions may run. */
  readonly allowedRoots: AllowedRoots;
  /** This data folder's id, and how often it was opened. */
  readonly node: Node;
  /** Adds the sessions of other machines to the list, now and whenever the list is made again. */
  listRemote(sessions: () => readonly Session[]): void;
  /** The session list, including everything that happened before the call. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Agents keep running unless `stopAgents` is set. Can be called twice. */
  close(options?: { readonly stopAgents?: boolean }): Promise<void>;
}

export interface AppOptions {
  readonly config: Pick<
    Config,
    | 'data'
    | 'maxLive'
    | 'maxCommands'
    | 'maxMemoryMb'
    | 'idleMinutes'
    | 'reserveMb'
    | 'roots'
    | 'worktrees'
    | 'agentPaths'
    | 'agentRuntimes'
    | 'configuredAgents'
    | 'allowBypass'
    | 'agentTools'
  >;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Receives failures outside of requests that are retried. */
  readonly problems: Problems;
  readonly agents?: readonly Adapter[];
  readonly runAccess?: EngineDeps['runAccess'];
}

/** An agent answers an interrupt in milliseconds; one that takes longer than this is stuck. */
const GRACES = { interruptMs: 3000, obeyMs: 10_000 };

/** Opens host, journal and engine. If one fails, the error says why and nothing stays locked. */
export async function openApp({ config, env, log, problems, agents = agentsWith(config.configuredAgents), runAccess }: AppOptions): Promise<App> {
  let engine: OpenEngine | undefined;
  let sessionIndex: OpenSessionIndex | undefined;
  const diskChanged = (low: boolean): void => {
    engine?.diskChanged(low);
    sessionIndex?.diskChanged(low);
  };
  const limits = { reserveBytes: config.reserveMb * 1024 * 1024 };
  const host = openHost({ dataDir: config.data, limits, onDisk: (low) => diskChanged(low), problems });
  const journal = await orRelease(host, () => openSqliteJournal({ dataDir: config.data }));
  let remote: (() => readonly Session[]) | undefined;
  const offerRemote = (): void => {
    if (remote !== undefined) problems.during('list sessions of other machines', () => sessionList.offerRemote(remote?.() ?? [], []));
  };
  const sessionList = openSessionList({
    dataDir: config.data,
    problems,
    onEmptied: () => {
      offerAll(engine, sessionList, journal);
      offerRemote();
      sessionIndex?.offerAll();
    },
    ...(BUILT_LIST_WORKER && { workerUrl: BUILT_LIST_WORKER }),
  });
  const clean = inheritable(env);
  const allowedRoots = { roots: realRoots(config.roots), dataFolder: realpathSync(config.data) };
  const node = openNode(config.data);
  const machine = { node: node.id, hostname: hostname(), platform: process.platform };
  if (dropIndexAhead(config.data, journal.position())) log.warn({}, 'the session index was ahead of the journal and is being rebuilt');
  const past = new OpenSessionIndex({
    dataDir: config.data,
    env: clean,
    runtimes: config.agentRuntimes,
    agents: PAST_AGENTS.map(({ id, title, icon }) => ({ id, title, icon })),
    machine,
    sessionList,
    refill: () => {
      offerAll(engine, sessionList, journal);
      offerRemote();
    },
    log,
    problems,
    ...(BUILT_INDEX_THREADS && { urls: BUILT_INDEX_THREADS }),
  });
  sessionIndex = past;
  engine = openEngine({
    past: past.past,
    journal,
    host,
    adapters: new Map([...agents, SCRIPT_AGENT].map((adapter) => [adapter.id, adapter])),
    locator: locatorFor(config, clean),
    settings: {
      maxLive: config.maxLive,
      maxCommands: config.maxCommands,
      maxMemoryBytes: config.maxMemoryMb * 1024 * 1024,
      idleMinutes: config.idleMinutes,
      ...allowedRoots,
      worktreesFolder: config.worktrees,
      allowBypass: config.allowBypass,
      agentTools: config.agentTools,
      graces: GRACES,
    },
    machine: { ...machine, isRoot: process.getuid?.() === 0 },
    now: () => new Date(),
    newId: randomUUID,
    envFor: agentEnvs(clean, config.agentRuntimes),
    ...(runAccess !== undefined && { runAccess }),
    backupFolder: join(config.data, 'backups'),
    readAgentFile,
    secrets: createSecrets(config.data),
    openCheckpoints: async () => (await import('./git/checkpoints.ts')).createCheckpoints(allowedRoots.dataFolder),
    onSummary: (session, position) => {
      past.journalMoved();
      if (typeof session === 'string') sessionList.remove(session, position);
      else if (isInternal(session.id)) sessionList.remove(session.id, position);
      else sessionList.offer(session, position);
    },
    log,
    problems,
  });
  past.attach(engine);
  // The disk may have run low before there was an engine to notify.
  if (host.stats().diskLow) diskChanged(true);
  const isCaughtUp = catchUp(engine, sessionList, journal);
  isCaughtUp.catch((error) => log.error({ error }, 'could not bring the session list up to date'));
  const parts = { engine, host, journal, sessionList, sessionIndex: past, allowedRoots, node };
  const list: App['list'] = async (query) => {
    await isCaughtUp;
    return sessionList.list(query, journal.position());
  };
  const listRemote: App['listRemote'] = (sessions) => {
    remote = sessions;
    problems.during('list sessions of other machines', async () => {
      await sessionList.keepOnly(
        sessions().map(({ id }) => id),
        'machines',
      );
      offerRemote();
    });
  };
  return { ...parts, list, listRemote, close: (options) => closeApp(parts, options?.stopAgents ?? false) };
}

/** Updates the session list with what happened since it was last written; cheap when nothing did. */
async function catchUp(engine: OpenEngine, sessionList: SessionList, journal: Journal): Promise<void> {
  const cursor = await sessionList.cursor();
  // Starting the list worker, which has just answered, reset this setting in Node.
  keepYoungGenerationSmall();
  if (cursor === journal.position()) return;
  offerAll(engine, sessionList, journal);
  await sessionList.keepOnly(engine.sessions().map((session) => session.id));
}

function offerAll(engine: OpenEngine | undefined, sessionList: SessionList, journal: Journal): void {
  for (const session of engine?.sessions() ?? []) sessionList.offer(session, journal.position());
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

/** A root that doesn't exist allows nothing. */
function realRoots(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => {
    try {
      return [realpathSync(root)];
    } catch {
      return [];
    }
  });
}

async function closeApp(
  { engine, host, journal, sessionList, sessionIndex }: Omit<App, 'close' | 'list' | 'listRemote' | 'allowedRoots' | 'node'>,
  stopAgents: boolean,
): Promise<void> {
  await engine.close({ stopAgents });
  await sessionIndex.close();
  await host.close();
  await sessionList.close();
  journal.close();
}
