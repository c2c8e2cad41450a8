import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Adapter } from './agents/adapter.ts';
import { AGENTS } from './agents/index.ts';
import type { Config } from './config.ts';
import { inheritable } from './engine/agent-env.ts';
import type { EngineDeps, Locator, Log } from './engine/deps.ts';
import { createLocator } from './engine/locator.ts';
import { type OpenEngine, openEngine } from './engine/open-engine.ts';
import { createSecrets } from './engine/secrets.ts';
import type { Host } from './host/host.ts';
import { openHost } from './host/open-host.ts';
import type { Journal } from './journal/journal.ts';
import { openSqliteJournal } from './journal/sqlite.ts';
import { openNode } from './node.ts';
import { PACKAGE_ROOT } from './package.ts';

/** The floors below the server, opened on one data folder. */
export interface House {
  readonly engine: OpenEngine;
  readonly host: Host;
  readonly journal: Journal;
  /** Agents go on unless told otherwise. May be called twice. */
  close(options?: { readonly stopAgents?: boolean }): Promise<void>;
}

export interface HouseOptions {
  readonly config: Pick<Config, 'data' | 'maxLive' | 'idleMinutes' | 'roots' | 'agentPaths'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly agents?: readonly Adapter[];
  readonly onSummary?: EngineDeps['onSummary'];
}

/** Opens host, journal and engine; what cannot be opened says why in words and leaves nothing held. */
export async function openHouse({ config, env, log, agents = AGENTS, onSummary = () => {} }: HouseOptions): Promise<House> {
  let engine: OpenEngine | undefined;
  const host = openHost({ dataDir: config.data, onDisk: (low) => engine?.diskChanged(low) });
  const journal = await orRelease(host, () => openSqliteJournal({ dataDir: config.data }));
  const clean = inheritable(env);
  engine = openEngine({
    journal,
    host,
    adapters: new Map(agents.map((adapter) => [adapter.id, adapter])),
    locator: locatorFor(config, clean),
    settings: { maxLive: config.maxLive, idleMinutes: config.idleMinutes, roots: realRoots(config.roots) },
    machine: { node: openNode(config.data).id, hostname: hostname(), platform: process.platform },
    now: () => new Date(),
    newId: randomUUID,
    env: clean,
    readAgentFile: (path) => readFile(path, 'utf8').catch(() => undefined),
    secrets: createSecrets(config.data),
    onSummary,
    log,
  });
  return { engine, host, journal, close: (options) => closeHouse({ engine, host, journal }, options?.stopAgents ?? false) };
}

export const locatorFor = (config: Pick<Config, 'agentPaths'>, env: Readonly<Record<string, string>>): Locator =>
  createLocator({ env, packageRoot: PACKAGE_ROOT, paths: config.agentPaths });

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

async function closeHouse({ engine, host, journal }: Omit<House, 'close'>, stopAgents: boolean): Promise<void> {
  await engine.close({ stopAgents });
  await host.close();
  journal.close();
}
