import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLiveSetup, type LiveSetup } from '../live-suite/live-setup.ts';
import { processesOf } from '../processes.ts';
import { startServer } from '../real-server.ts';
import { spawnScriptedModel } from '../scripted-model/spawn.ts';
import { waitFor } from '../wait-for.ts';
import { type OpenclawVersion, openclawPath } from './agent-clis.ts';

export interface OpenclawSetup extends LiveSetup {
  /** Runs a prompt in OpenClaw as in a terminal, in the project, without Signalbox. */
  inTerminal(prompt: string): Promise<void>;
  /** Pids of the keeper, which is connected to the Gateway, and of the Gateway; undefined when not running. */
  keeper(): number | undefined;
  gateway(): number | undefined;
  outliving(): readonly number[];
  /** Kills that process, like a crash. */
  kill(pid: number | undefined): Promise<void>;
}

/** The first turn of a Gateway loads most of its code: 6 s on an idle machine, more than a minute on one with thirty times its normal load. */
const TURN_MS = 240_000;

/** The real server, the real OpenClaw with its Gateway, and the scripted model, each in its own process. */
export async function startOpenclawSetup(version: OpenclawVersion): Promise<OpenclawSetup | { readonly skip: string }> {
  const found = openclawPath(version);
  if ('skip' in found) return found;
  const model = await spawnScriptedModel();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-openclaw-'));
  const data = mkdtempSync(join(tmpdir(), 'signalbox-data-'));
  writeFileSync(join(data, 'config.json'), JSON.stringify({ agents: { openclaw: { path: found.path, ...(found.node && { interpreter: found.node }) } } }));
  const env = { OPENCLAW_STATE_DIR: folder, SIGNALBOX_LOG: 'warn', SIGNALBOX_MAX_LIVE: '50', SIGNALBOX_ALLOW_BYPASS: '1' };
  const setup = createLiveSetup('openclaw', await startServer({ env, data }), model, TURN_MS);
  const { home, project } = setup.server;
  writeOpenclawConfig(folder, { port: await freePort(), modelUrl: model.url, workspace: project });
  const terminal = { cwd: project, env: { PATH: process.env.PATH, HOME: home, OPENCLAW_STATE_DIR: folder } };
  return {
    ...setup,
    inTerminal: (prompt) =>
      run(found.node ?? process.execPath, [found.path, 'agent', '--session-id', crypto.randomUUID(), '--message', prompt, '--json'], terminal),
    keeper: () => pidIn(home, 'pid'),
    gateway: () => pidIn(home, 'gateway'),
    outliving: () => [pidIn(home, 'pid'), pidIn(home, 'gateway'), ...workersIn(home)].filter((pid) => pid !== undefined),
    kill: async (pid) => {
      if (pid === undefined) throw new Error('there is no such process');
      process.kill(pid, 'SIGKILL');
      await waitFor(`the end of process ${pid}`, () => !existsSync(`/proc/${pid}`));
    },
    close: async () => {
      await setup.close();
      for (const path of [folder, data]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** From the keeper's own folder, whatever its name is. */
function pidIn(home: string, name: 'pid' | 'gateway'): number | undefined {
  const all = join(home, '.cache/signalbox/openclaw');
  const [file] = existsSync(all) ? readdirSync(all).map((path) => join(all, path, 'v1', name)) : [];
  const pid = file !== undefined && existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
  return pid !== undefined && existsSync(`/proc/${pid}`) ? pid : undefined;
}

/** The Gateway runs this many programs of its own; any other is left over from a session. */
const WORKERS = 2;
const workersIn = (home: string): readonly number[] =>
  processesOf(home)
    .filter((pid) => commandOf(pid).includes('/openclaw/dist/'))
    .slice(0, WORKERS);

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has exited
  }
}

function run(path: string, args: readonly string[], where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { ...where, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()));
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`OpenClaw exited with ${code}: ${output.slice(-1000)}`))));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The settings of a person with their own model provider. */
function writeOpenclawConfig(
  folder: string,
  { port, modelUrl, workspace }: { readonly port: number; readonly modelUrl: string; readonly workspace: string },
): void {
  const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const models = ['scripted', 'scripted-two'].map((id) => ({
    ...{ id, name: `The model ${id}`, reasoning: true, input: ['text', 'image'] },
    ...{ contextWindow: 200_000, maxTokens: 8192, cost },
  }));
  const config = {
    gateway: { mode: 'local', port, bind: 'loopback', auth: { mode: 'token', token: 'made-up-token' } },
    models: { mode: 'merge', providers: { local: { baseUrl: modelUrl, apiKey: 'sk-fake', api: 'anthropic-messages', models } } },
    agents: { defaults: { workspace, skipBootstrap: true, model: { primary: 'local/scripted' } } },
  };
  writeFileSync(join(folder, 'openclaw.json'), `${JSON.stringify(config, null, 2)}\n`);
}
