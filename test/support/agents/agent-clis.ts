import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The agent CLIs that the live suite runs with, at exact versions. */
export const AGENT_CLIS = [
  // The last version that supports --sdk-url; the common suite runs with the others.
  { name: 'claude-code', version: '2.1.120', package: `@anthropic-ai/claude-code-${platformName()}`, executable: 'claude', megabytes: 235 },
  { name: 'claude-code', version: '2.1.197', package: `@anthropic-ai/claude-code-${platformName()}`, executable: 'claude', megabytes: 245 },
  { name: 'claude-code', version: '2.1.325', package: `@anthropic-ai/claude-code-${platformName()}`, executable: 'claude', megabytes: 366 },
  // A newer Node for programs that don't run with ours; listed before those that need it.
  { name: 'node', version: '24.21.0', package: `node-${process.platform}-${process.arch}`, executable: 'bin/node', megabytes: 125 },
  { name: 'pi', version: '0.73.1', package: '@mariozechner/pi-coding-agent', executable: 'dist/cli.js', megabytes: 204 },
  { name: 'pi', version: '0.87.1', package: '@earendil-works/pi-coding-agent', executable: 'dist/cli.js', megabytes: 159, needsNode: '24.21.0' },
  // Its optional dependencies are only needed for channels, which this Gateway doesn't have.
  { name: 'openclaw', version: '2026.9.6', package: 'openclaw', executable: 'openclaw.mjs', megabytes: 599, needsNode: '24.21.0', omits: 'optional' },
  // The package only starts the platform's own package, which is installed next to it.
  { name: 'codex', version: '0.166.0', package: '@openai/codex', executable: codexExecutable(), megabytes: 436 },
  { name: 'opencode', version: '1.18.33', package: `opencode-${platformName()}`, executable: 'bin/opencode', megabytes: 177 },
  // Prints nothing when asked for its version, and exits.
  { name: 'pi-acp', version: '0.0.34', package: 'pi-acp', executable: '../.bin/pi-acp', megabytes: 9, isMute: true },
] as const;

export type AgentCli = (typeof AGENT_CLIS)[number];
export type ClaudeVersion = Extract<AgentCli, { name: 'claude-code' }>['version'];
export type Found = { readonly path: string } | { readonly skip: string };

/** The executable of a pinned Claude Code, or why it is missing (as text for the list of skipped tests). */
export function claudePath(version: ClaudeVersion): Found {
  const cli = AGENT_CLIS.find((one) => one.name === 'claude-code' && one.version === version);
  if (!cli) return { skip: `Claude Code ${version} is not among the pinned versions` };
  return findCli(cli);
}

export type PiVersion = Extract<AgentCli, { name: 'pi' }>['version'];

/** A program, and the Node that runs it if ours is too old. */
type FoundWithNode = { readonly path: string; readonly node?: string } | { readonly skip: string };

export function piPath(version: PiVersion): FoundWithNode {
  const cli = AGENT_CLIS.find((one) => one.name === 'pi' && one.version === version);
  return cli ? findWithNode(cli) : { skip: `Pi ${version} is not among the pinned versions` };
}

export type OpenclawVersion = Extract<AgentCli, { name: 'openclaw' }>['version'];

export function openclawPath(version: OpenclawVersion): FoundWithNode {
  const cli = AGENT_CLIS.find((one) => one.name === 'openclaw' && one.version === version);
  return cli ? findWithNode(cli) : { skip: `OpenClaw ${version} is not among the pinned versions` };
}

function findWithNode(cli: AgentCli): FoundWithNode {
  const found = findCli(cli);
  const node = nodeFor(cli);
  if (node === undefined || 'skip' in found) return found;
  const runtime = findCli(node);
  return 'skip' in runtime ? runtime : { ...found, node: runtime.path };
}

export type AcpCli = Extract<AgentCli, { name: 'opencode' | 'pi-acp' }>['name'];

/** A pinned agent that speaks ACP. */
export function acpPath(name: AcpCli): Found {
  const cli = AGENT_CLIS.find((one) => one.name === name);
  return cli ? findCli(cli) : { skip: `${name} is not among the pinned agents` };
}

export type CodexVersion = Extract<AgentCli, { name: 'codex' }>['version'];

export function codexPath(version: CodexVersion): Found {
  const cli = AGENT_CLIS.find((one) => one.name === 'codex' && one.version === version);
  return cli ? findCli(cli) : { skip: `Codex ${version} is not among the pinned versions` };
}

const nodeFor = (cli: AgentCli): AgentCli | undefined =>
  'needsNode' in cli ? AGENT_CLIS.find((one) => one.name === 'node' && one.version === cli.needsNode) : undefined;

/** The command that runs the program, including its interpreter. */
export function commandOf(cli: AgentCli): readonly [string, ...string[]] {
  const node = nodeFor(cli);
  return node === undefined ? [executableOf(cli)] : [executableOf(node), executableOf(cli)];
}

export function findCli(cli: AgentCli): Found {
  const path = executableOf(cli);
  if (isComplete(cli) && existsSync(path)) return { path };
  return { skip: `${cli.name} ${cli.version} is not installed in ${cliFolder(cli)}; \`npm test\` installs it when the npm registry can be reached` };
}

export const cliFolder = (cli: AgentCli): string => join(cacheFolder(), 'agents', `${cli.name}-${cli.version}`);

// The npm package `@anthropic-ai/claude-code` is a wrapper whose postinstall links the native binary; the native package needs no script.
export const executableOf = (cli: AgentCli): string => join(cliFolder(cli), 'node_modules', cli.package, cli.executable);

/** Written last, so that an interrupted download doesn't count as an installation. */
export const completeMarker = (cli: AgentCli): string => join(cliFolder(cli), 'complete');

export const isComplete = (cli: AgentCli): boolean => existsSync(completeMarker(cli));

/** Shared by every clone of the repository if the home folder allows it: these programs take 2.7 GB. */
export function cacheFolder(): string {
  if (process.env.SIGNALBOX_CACHE) return resolve(process.env.SIGNALBOX_CACHE);
  const shared = join(homedir(), '.cache', 'signalbox');
  return isUsable(shared) ? shared : resolve(import.meta.dirname, '../../../.cache');
}

function isUsable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function platformName(): string {
  const name = `${process.platform}-${process.arch}`;
  return process.platform === 'linux' && !usesGlibc() ? `${name}-musl` : name;
}

/** Relative to `@openai/codex`: a program that the kernel can start. */
function codexExecutable(): string {
  const cpu = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const system = process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl';
  return `../codex-${process.platform}-${process.arch}/vendor/${cpu}-${system}/bin/codex`;
}

function usesGlibc(): boolean {
  const report: unknown = process.report.getReport();
  const header = typeof report === 'object' && report !== null && 'header' in report ? report.header : undefined;
  return typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
}
