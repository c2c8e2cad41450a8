import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach } from 'vitest';
import type { Adapter } from '../../src/agents/adapter.ts';
import { AGENTS } from '../../src/agents/index.ts';
import { inheritable } from '../../src/engine/agent-env.ts';
import { readAgentFile } from '../../src/engine/agent-file.ts';
import type { EngineDeps } from '../../src/engine/deps.ts';
import { createLocator } from '../../src/engine/locator.ts';
import { type OpenEngine, openEngine } from '../../src/engine/open-engine.ts';
import type { PastPort } from '../../src/engine/past-port.ts';
import { createSecrets } from '../../src/engine/secrets.ts';
import { openHost } from '../../src/host/open-host.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openSqliteJournal } from '../../src/journal/sqlite.ts';
import type { Actor } from '../../src/protocol/actor.ts';
import { type Command, isRefusal, type Receipt } from '../../src/protocol/command.ts';
import type { Event, EventOf, EventType } from '../../src/protocol/event.ts';
import type { CommandId, SessionId } from '../../src/protocol/ids.ts';
import { QUICK } from './hosting.ts';
import { waitFor } from './wait-for.ts';

export const ADA: Actor = { kind: 'person', id: 'ada', name: 'Ada' };

/** An engine on real files, with a way to lose it and open it again. */
export interface EngineBench {
  readonly folder: string;
  readonly dataDir: string;
  readonly home: string;
  engine: OpenEngine;
  /** Closes this engine, agents left running, and opens another on the same data, with these things changed. */
  reopen(changed?: EngineOptions): Promise<void>;
  /** Closes this engine, agents left running. */
  close(): Promise<void>;
  do(command: WithoutId): Promise<Receipt>;
  events(id: SessionId): readonly Event[];
  event<T extends EventType>(id: SessionId, type: T, matches?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type WithoutId = DistributiveOmit<Command, 'commandId'> & { readonly commandId?: CommandId };

let cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

export interface EngineOptions {
  readonly adapters?: readonly Adapter[];
  readonly maxLive?: number;
  readonly maxMemoryBytes?: number;
  readonly allowBypass?: boolean;
  readonly now?: () => Date;
  readonly graces?: EngineDeps['settings']['graces'];
  readonly silentStartMs?: number;
  readonly journal?: (journal: Journal) => Journal;
  readonly env?: Record<string, string>;
  readonly past?: PastPort;
}

export async function createEngine(options: EngineOptions = {}): Promise<EngineBench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-engine-')));
  const [dataDir, home] = [join(folder, 'data'), join(folder, 'home')];
  mkdirSync(home);
  const open = (changed: EngineOptions = {}) => openOn(dataDir, home, folder, { ...options, ...changed });
  const first = await open();
  let close = first.close;
  const bench: EngineBench = {
    folder,
    dataDir,
    home,
    engine: first.engine,
    reopen: async (changed) => {
      await close(false);
      const next = await open(changed);
      bench.engine = next.engine;
      close = next.close;
    },
    close: () => close(false),
    do: async (command) => {
      const answer = await bench.engine.submit({ commandId: randomUUID() as CommandId, ...command } as Command, ADA);
      if (isRefusal(answer)) throw new Error(`${answer.refused}: ${answer.message}`);
      return answer;
    },
    events: (id) => bench.engine.events(id, { after: 0, limit: 100_000 }),
    event: async (id, type, matches = () => true) => {
      const isIt = (event: Event): event is EventOf<typeof type> => event.type === type && matches(event as EventOf<typeof type>);
      return waitFor(`${type} in ${id}`, () => bench.events(id).find(isIt));
    },
  };
  cleanups.push(async () => {
    await close(true);
    rmSync(folder, { recursive: true, force: true });
  });
  return bench;
}

async function openOn(dataDir: string, home: string, root: string, options: EngineOptions = {}) {
  let engine: OpenEngine | undefined;
  const host = openHost({ dataDir, limits: QUICK, onDisk: (low) => engine?.diskChanged(low) });
  const journal = (options.journal ?? ((same) => same))(openSqliteJournal({ dataDir }));
  const env = { PATH: inheritable(process.env).PATH ?? '', HOME: home, DEMO_AGENT_PACE_MS: '0', ...options.env };
  const deps: EngineDeps = {
    journal,
    host,
    adapters: new Map((options.adapters ?? AGENTS).map((adapter) => [adapter.id, adapter])),
    locator: createLocator({ env, packageRoot: resolve(import.meta.dirname, '../..'), paths: {} }),
    settings: {
      maxLive: options.maxLive ?? 5,
      idleMinutes: 0,
      roots: [root],
      dataFolder: dataDir,
      maxMemoryBytes: options.maxMemoryBytes ?? 0,
      memoryEveryMs: 50,
      allowBypass: options.allowBypass ?? false,
      graces: options.graces ?? { interruptMs: 3000, obeyMs: 10_000 },
      ...(options.silentStartMs !== undefined && { silentStartMs: options.silentStartMs }),
    },
    machine: { node: 'n1', hostname: 'here', platform: 'linux', isRoot: false },
    now: options.now ?? (() => new Date()),
    newId: randomUUID,
    env,
    backupFolder: join(dataDir, 'backups'),
    readAgentFile,
    ...(options.past !== undefined && { past: options.past }),
    secrets: createSecrets(dataDir),
    onSummary: () => {},
    log: { info: () => {}, warn: () => {}, error: (facts, message) => console.error(message, facts) },
  };
  engine = openEngine(deps);
  const close = async (stopAgents: boolean): Promise<void> => {
    await engine?.close({ stopAgents });
    await host.close();
    journal.close();
  };
  return { engine, close };
}
