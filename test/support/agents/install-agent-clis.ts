import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { withFileLock } from '../file-lock.ts';
import { AGENT_CLIS, type AgentCli, cliFolder, commandOf, completeMarker, findCli, isComplete } from './agent-clis.ts';

const INSTALL_LIMIT_MS = 10 * 60_000; // 366 MB over a slow connection

/** Installs what is missing, one after the other; reports and skips what is not available. */
async function installAgentClis(): Promise<void> {
  for (const cli of AGENT_CLIS) {
    if (isComplete(cli)) continue;
    await withFileLock(`${cliFolder(cli)}.lock`, INSTALL_LIMIT_MS, () => installOnce(cli)).catch((error: unknown) => reportFailure(cli, error));
  }
  for (const cli of AGENT_CLIS) report(cli);
}

async function installOnce(cli: AgentCli): Promise<void> {
  if (isComplete(cli)) return; // another installer was faster
  const folder = cliFolder(cli);
  console.log(`Installing ${cli.name} ${cli.version} (${cli.megabytes} MB, once) into ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await npmInstall(folder, `${cli.package}@${cli.version}`, 'omits' in cli ? [`--omit=${cli.omits}`] : []);
  await checkVersion(cli);
  writeFileSync(completeMarker(cli), `${new Date().toISOString()}\n`);
}

/** Some programs need a newer Node than ours, and run with it later; npm's strict check is meant for ourselves. */
const FLAGS = ['--engine-strict=false', '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];

const npmInstall = (folder: string, spec: string, more: readonly string[]): Promise<string> =>
  run('npm', ['install', '--prefix', folder, ...FLAGS, ...more, spec], folder);

async function checkVersion(cli: AgentCli): Promise<void> {
  if ('isMute' in cli) return;
  const [command, ...before] = commandOf(cli);
  const output = await run(command, [...before, '--version'], cliFolder(cli));
  if (!output.includes(cli.version)) throw new Error(`it says "${output.trim()}" when asked for its version`);
}

function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: INSTALL_LIMIT_MS });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${command} exited with ${code}: ${output.trim().slice(-600)}`))));
  });
}

function reportFailure(cli: AgentCli, error: unknown): void {
  console.log(`${cli.name} ${cli.version} could not be installed: ${error instanceof Error ? error.message : String(error)}`);
}

function report(cli: AgentCli): void {
  const found = findCli(cli);
  console.log('path' in found ? `${cli.name} ${cli.version}: ${found.path}` : `Tests that need it are skipped: ${found.skip}`);
}

await installAgentClis();
