import { randomUUID } from 'node:crypto';
import { join, relative } from 'node:path';
import { AGENTS, SCRIPT_AGENT } from '../../../src/agents/index.ts';
import type { Adapter } from '../../../src/agents/port/adapter.ts';
import type { AgentRuntimes } from '../../../src/agents/port/agent-runtime.ts';
import type { PastSessionsPort } from '../../../src/archive/past-sessions-port.ts';
import { readAgentFile } from '../../../src/engine/continue/read-agent-file.ts';
import type { EngineDeps } from '../../../src/engine/loop/engine-deps.ts';
import { type OpenEngine, openEngine } from '../../../src/engine/open-engine.ts';
import { createSecrets } from '../../../src/engine/secrets.ts';
import type { HostLimits } from '../../../src/host/limits.ts';
import { openHost } from '../../../src/host/open-host.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/open-journal.ts';
import { Problems } from '../../../src/problems/problems.ts';
import { agentEnvs } from '../../../src/programs/agent-environments.ts';
import { inheritable } from '../../../src/programs/environment.ts';
import { createLocator } from '../../../src/programs/locator.ts';
import { bundle, rootAbove } from '../bundle.ts';

const ROOT = rootAbove(import.meta.dirname);

export interface EngineOptions {
  readonly adapters?: readonly Adapter[];
  readonly maxLive?: number;
  readonly leaseMs?: number;
  readonly maxCommands?: number;
  readonly maxMemoryBytes?: number;
  readonly allowBypass?: boolean;
  readonly now?: () => Date;
  readonly graces?: EngineDeps['settings']['graces'];
  readonly silentStartMs?: number;
  readonly journal?: (journal: Journal) => Journal;
  readonly env?: Record<string, string>;
  readonly runtimes?: AgentRuntimes;
  readonly past?: PastSessionsPort;
  readonly openCheckpoints?: EngineDeps['openCheckpoints'];
  readonly checkpointBytes?: number;
  readonly log?: EngineDeps['log'];
  readonly limits?: Partial<HostLimits>;
}

/** An engine on real files. */
export async function openTestEngine(dataDir: string, home: string, root: string, options: EngineOptions = {}) {
  let engine: OpenEngine | undefined;
  const log = options.log ?? { info: () => {}, warn: () => {}, error: (facts: object, message: string) => console.error(message, facts) };
  const problems = new Problems(log);
  const host = openHost({ dataDir, limits: options.limits ?? {}, onDisk: (low) => engine?.diskChanged(low), problems });
  const journal = (options.journal ?? ((same) => same))(openSqliteJournal({ dataDir }));
  const env = { PATH: inheritable(process.env).PATH ?? '', HOME: home, DEMO_AGENT_PACE_MS: '0', ...options.env };
  const runtimes = options.runtimes ?? {};
  const envFor = agentEnvs(env, runtimes);
  const deps: EngineDeps = {
    journal,
    host,
    adapters: new Map([...(options.adapters ?? AGENTS), SCRIPT_AGENT].map((adapter) => [adapter.id, withBundle(adapter)])),
    locator: createLocator({ envFor, packageRoot: ROOT, paths: {}, runtimes }),
    settings: {
      maxLive: options.maxLive ?? 5,
      maxCommands: options.maxCommands ?? 4,
      idleMinutes: 0,
      roots: [root],
      worktreesFolder: join(root, 'worktrees'),
      dataFolder: dataDir,
      maxMemoryBytes: options.maxMemoryBytes ?? 0,
      memoryEveryMs: 50,
      portsEveryMs: 50,
      allowBypass: options.allowBypass ?? false,
      graces: options.graces ?? { interruptMs: 3000, obeyMs: 10_000 },
      ...(options.checkpointBytes !== undefined && { checkpointBytes: options.checkpointBytes }),
      ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
      ...(options.silentStartMs !== undefined && { silentStartMs: options.silentStartMs }),
    },
    machine: { node: 'n1', hostname: 'here', platform: 'linux', isRoot: false },
    now: options.now ?? (() => new Date()),
    newId: randomUUID,
    envFor,
    backupFolder: join(dataDir, 'backups'),
    readAgentFile,
    ...(options.past !== undefined && { past: options.past }),
    ...(options.openCheckpoints !== undefined && { openCheckpoints: options.openCheckpoints }),
    secrets: createSecrets(dataDir),
    onSummary: () => {},
    log,
    problems,
  };
  engine = openEngine(deps);
  const close = async (stopAgents: boolean): Promise<void> => {
    await engine?.close({ stopAgents });
    await host.close();
    journal.close();
  };
  return { engine, close };
}

/** Our own programs as a bundle, as they are shipped: compiling one from source would take most of the time of a short session. */
function withBundle(adapter: Adapter): Adapter {
  const { builtin } = adapter.locate;
  if (builtin === undefined) return adapter;
  const source = builtin.endsWith('.ts') ? builtin : `src/agents/${adapter.id}/program.ts`;
  return { ...adapter, locate: { ...adapter.locate, builtin: relative(ROOT, bundle(source)) } };
}
