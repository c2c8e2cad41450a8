import { existsSync, readFileSync } from 'node:fs';
import { homedir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { AgentSettingProblem, type AgentSettings, readAgentSettings, withoutSecrets } from './agent-settings.ts';
import { LOG_LEVELS, type LogLevel } from './server/shared/log.ts';
import { isLoopback, type ServerSettings } from './server/shared/settings.ts';

/** All settings in effect. `from` says where each comes from: a flag, the environment, the file or the default. */
export interface Config extends ServerSettings {
  readonly data: string;
  readonly open: boolean;
  readonly json: boolean;
  readonly stopAgents: boolean;
  readonly token?: string | undefined;
  readonly redisUrl?: string | undefined;
  readonly maxLive: number;
  /** Scripts and long git acts at once. */
  readonly maxCommands: number;
  /** Memory for all agents together; 0 for no limit. */
  readonly maxMemoryMb: number;
  readonly idleMinutes: number;
  /** Whether a session may bypass all permissions. */
  readonly allowBypass: boolean;
  /** Whether agents get our tools. */
  readonly agentTools: boolean;
  /** Disk space kept free for agents' output, for when the disk runs out. */
  readonly reserveMb: number;
  /** Folders in which sessions may run. */
  readonly roots: readonly string[];
  /** Where worktrees of sessions are made. */
  readonly worktrees: string;
  /** Push services allowed in addition to those of the known browsers. */
  readonly pushHosts: readonly string[];
  readonly log: LogLevel;
  /** Whether the ready line contains the token when the output is not a terminal. */
  readonly logToken: boolean;
  /** Executables of agents by agent id, from the file. An agent's own environment variable overrides it. */
  readonly agentPaths: Readonly<Record<string, string>>;
  /** Interpreter, PATH folders and variables each agent runs with, by agent id. */
  readonly agentRuntimes: AgentSettings['agentRuntimes'];
  /** Agents that the file describes, by agent id. */
  readonly configuredAgents: AgentSettings['configuredAgents'];
  readonly from: Readonly<Record<string, Origin>>;
  /** All settings in effect by their name in the file, for doctor. */
  readonly values: Readonly<Record<string, unknown>>;
}

export type Origin = 'flag' | 'environment' | 'file' | 'default';

/** An invalid setting; the message says which, where it comes from, and what is expected. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
}

interface ConfigSources {
  /** From the command line, by setting name; undefined when not set. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const port = z.int().check(z.minimum(0), z.maximum(65_535));
const Settings = z.strictObject({
  host: z.string().check(z.minLength(1)),
  port,
  data: z.string().check(z.minLength(1)),
  open: z.boolean(),
  json: z.boolean(),
  stopAgents: z.boolean(),
  publicUrl: z.optional(z.url({ protocol: /^https?$/ })),
  tlsCert: z.optional(z.string()),
  tlsKey: z.optional(z.string()),
  basePath: z.string().check(z.regex(/^(\/[A-Za-z0-9._~-]+)*$/, 'it must start with "/" and not end with it, such as /signalbox')),
  token: z.optional(z.string().check(z.regex(/^\S+$/, 'it can’t contain spaces'))),
  redisUrl: z.optional(z.string()),
  maxLive: z.int().check(z.minimum(1), z.maximum(10_000)),
  maxCommands: z.int().check(z.minimum(1), z.maximum(100)),
  maxMemoryMb: z.int().check(z.minimum(0)),
  idleMinutes: z.number().check(z.minimum(0)),
  allowBypass: z.boolean(),
  agentTools: z.boolean(),
  reserveMb: z.int().check(z.minimum(0)),
  roots: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
  worktrees: z.string().check(z.minLength(1)),
  allowedHosts: z.array(z.string().check(z.regex(/^[^/:\s]+$/, 'use a host name without scheme, port or path'))),
  pushHosts: z.array(z.string().check(z.regex(/^[^/\s]+$/, 'use a host name, with or without a port, without scheme or path'))),
  log: z.enum(LOG_LEVELS),
  logToken: z.boolean(),
  /** Parsed by agent-settings.ts. */
  agents: z.record(z.string(), z.unknown()),
  /** Serve beyond this machine without TLS, on purpose. */
  insecure: z.boolean(),
});
type Settings = z.infer<typeof Settings>;
type Name = keyof Settings;
const NAMES: readonly Name[] = Object.keys(Settings.shape) as Name[];

/** Flags override the environment, which overrides `<data>/config.json`, which overrides the defaults. Throws `ConfigProblem`. */
export function loadConfig({ flags, env }: ConfigSources): Config {
  const fromEnv = readEnvironment(env);
  const data = resolve(String(flags.data ?? fromEnv.data ?? defaultData(env)));
  const layers: readonly (readonly [Origin, Readonly<Record<string, unknown>>])[] = [
    ['flag', flags],
    ['environment', fromEnv],
    ['file', readFile(join(data, 'config.json'))],
    ['default', defaults(env)],
  ];
  const chosen = NAMES.flatMap((name) => choose(name, layers));
  const raw = Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
  const from = Object.fromEntries(chosen.map(({ name, origin }) => [name, origin]));
  const parsed = z.safeParse(Settings, { ...raw, data });
  if (!parsed.success) throw new ConfigProblem(parsed.error.issues.map((issue) => messageFor(issue, from)).join('\n'));
  return configOf(parsed.data, from);
}

/** Which variable sets what, and how its text is parsed. */
export const VARIABLES: readonly (readonly [variable: string, setting: Name, read: (text: string) => unknown])[] = [
  ['SIGNALBOX_HOST', 'host', String],
  ['SIGNALBOX_PORT', 'port', numberIn],
  ['SIGNALBOX_DATA', 'data', String],
  ['SIGNALBOX_OPEN', 'open', yesOrNo],
  ['SIGNALBOX_PUBLIC_URL', 'publicUrl', String],
  ['SIGNALBOX_TLS_CERT', 'tlsCert', String],
  ['SIGNALBOX_TLS_KEY', 'tlsKey', String],
  ['SIGNALBOX_BASE_PATH', 'basePath', String],
  ['SIGNALBOX_TOKEN', 'token', String],
  ['SIGNALBOX_REDIS_URL', 'redisUrl', String],
  ['SIGNALBOX_MAX_LIVE', 'maxLive', numberIn],
  ['SIGNALBOX_MAX_COMMANDS', 'maxCommands', numberIn],
  ['SIGNALBOX_MAX_MEMORY_MB', 'maxMemoryMb', numberIn],
  ['SIGNALBOX_IDLE_MINUTES', 'idleMinutes', numberIn],
  ['SIGNALBOX_ALLOW_BYPASS', 'allowBypass', yesOrNo],
  ['SIGNALBOX_AGENT_TOOLS', 'agentTools', yesOrNo],
  ['SIGNALBOX_RESERVE_MB', 'reserveMb', numberIn],
  ['SIGNALBOX_ROOTS', 'roots', (text) => listIn(text, /[:,]/)],
  ['SIGNALBOX_WORKTREES', 'worktrees', String],
  ['SIGNALBOX_ALLOWED_HOSTS', 'allowedHosts', (text) => listIn(text, /[\s,]+/)],
  ['SIGNALBOX_PUSH_HOSTS', 'pushHosts', (text) => listIn(text, /[\s,]+/)],
  ['SIGNALBOX_LOG', 'log', String],
  ['SIGNALBOX_LOG_TOKEN', 'logToken', yesOrNo],
  ['SIGNALBOX_INSECURE', 'insecure', yesOrNo],
];

function readEnvironment(env: ConfigSources['env']): Readonly<Record<string, unknown>> {
  const present = VARIABLES.filter(([variable]) => env[variable] !== undefined && env[variable] !== '');
  return Object.fromEntries(present.map(([variable, setting, read]) => [setting, read(env[variable] ?? '')]));
}

const listIn = (text: string, between: RegExp): readonly string[] => text.split(between).filter((part) => part !== '');
function numberIn(text: string): unknown {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}
function yesOrNo(text: string): unknown {
  if (['1', 'true', 'yes'].includes(text.toLowerCase())) return true;
  return ['0', 'false', 'no'].includes(text.toLowerCase()) ? false : text;
}

/** Unknown names are refused, so that a misspelled setting is not ignored. */
function readFile(path: string): Readonly<Record<string, unknown>> {
  if (!existsSync(path)) return {};
  try {
    const file = z.parse(z.record(z.string(), z.unknown()), JSON.parse(readFileSync(path, 'utf8')));
    const unknown = Object.keys(file).filter((name) => !NAMES.some((known) => known === name) || name === 'data');
    if (unknown.length > 0)
      throw new ConfigProblem(`${path}: unknown ${unknown.length === 1 ? 'setting' : 'settings'} ${unknown.join(', ')}. Known settings: ${NAMES.join(', ')}`);
    return file;
  } catch (cause) {
    if (cause instanceof ConfigProblem) throw cause;
    throw new ConfigProblem(`${path} is not a JSON object. Fix it or move it away.`, { cause });
  }
}

const homeOf = (env: ConfigSources['env']): string => env.HOME ?? homedir();
const defaultData = (env: ConfigSources['env']): string => join(env.XDG_DATA_HOME || join(homeOf(env), '.local', 'share'), 'signalbox');

/** An idle Claude Code takes up to 200 MB, a working one with its tools about twice that. Agents get half of the memory. */
const AGENT_BYTES = 400 * 1024 ** 2;
const AGENTS_AT_LEAST = 12;

/** How many agents run at once by default on a machine with this much memory. */
export const agentsFor = (memoryBytes: number): number => Math.max(AGENTS_AT_LEAST, Math.floor(memoryBytes / 2 / AGENT_BYTES));

/** In a container, the memory it may use; 0 means that there is no such limit. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

function defaults(env: ConfigSources['env']): Readonly<Record<string, unknown>> {
  return {
    host: '127.0.0.1',
    port: 4750,
    data: defaultData(env),
    open: true,
    json: false,
    stopAgents: false,
    basePath: '',
    maxLive: agentsFor(memoryOfMachine()),
    maxCommands: 4,
    maxMemoryMb: 0,
    idleMinutes: 10,
    allowBypass: false,
    agentTools: true,
    reserveMb: 64,
    roots: [homeOf(env)],
    worktrees: join(homeOf(env), '.signalbox-worktrees'),
    allowedHosts: [],
    pushHosts: [],
    log: 'info',
    logToken: false,
    agents: {},
    insecure: false,
  };
}

function choose(name: Name, layers: readonly (readonly [Origin, Readonly<Record<string, unknown>>])[]) {
  const layer = layers.find(([, values]) => values[name] !== undefined);
  return layer === undefined ? [] : [{ name, origin: layer[0], value: layer[1][name] }];
}

function messageFor(issue: z.core.$ZodIssue, from: Readonly<Record<string, Origin>>): string {
  const name = String(issue.path[0] ?? '');
  const variable = VARIABLES.find(([, setting]) => setting === name)?.[0];
  const origin = from[name] === 'environment' ? `the variable ${variable}` : from[name] === 'file' ? 'config.json' : 'the command line';
  return `The setting ${issue.path.join('.')} (from ${origin}) is invalid: ${issue.message}`;
}

function configOf(values: Settings, from: Config['from']): Config {
  const { tlsCert, tlsKey, agents, insecure, roots, ...rest } = values;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new ConfigProblem('TLS needs both --tls-cert and --tls-key');
  const tls = tlsCert === undefined || tlsKey === undefined ? undefined : { certFile: readable(tlsCert), keyFile: readable(tlsKey) };
  if (!isLoopback(rest.host) && tls === undefined && rest.publicUrl === undefined && !insecure) {
    throw new ConfigProblem(
      `Serving on ${rest.host} without TLS lets others on the network read the token. Use --tls-cert and --tls-key, --public-url with a TLS proxy, or --insecure if you trust the network.`,
    );
  }
  const shown = { ...values, agents: withoutSecrets(agents) };
  return { ...rest, ...agentSettings(agents), tls, roots: roots.map((root) => resolve(root)), worktrees: resolve(rest.worktrees), from, values: shown };
}

function agentSettings(agents: Settings['agents']): AgentSettings {
  try {
    return readAgentSettings(agents);
  } catch (cause) {
    if (!(cause instanceof AgentSettingProblem)) throw cause;
    throw new ConfigProblem(`The setting ${cause.setting} (from config.json) is invalid: ${cause.reason}`, { cause });
  }
}

/** Warnings about settings that are accepted but have no effect in this version. */
export const unusedSettings = ({ redisUrl }: Pick<Config, 'redisUrl'>): readonly string[] =>
  redisUrl === undefined ? [] : ['SIGNALBOX_REDIS_URL (redisUrl) is set, but nothing uses it yet: this version runs on one machine'];

function readable(file: string): string {
  if (!existsSync(file)) throw new ConfigProblem(`The TLS file ${file} doesn't exist.`);
  return resolve(file);
}
