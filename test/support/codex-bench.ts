import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CodexVersion, codexPath } from './agent-clis.ts';
import { benchOf, type LiveBench } from './live-suite/bench.ts';
import { spawnScriptedModel } from './scripted-model/spawn.ts';
import { startServer } from './server.ts';

export interface CodexBench extends LiveBench {
  /** Codex's own folder. */
  readonly folder: string;
  /** Has Codex answer a prompt as in a terminal, in the project, without Signalbox. */
  inTerminal(prompt: string, ...args: readonly string[]): Promise<void>;
}

/** The real server, the real Codex and the scripted model, each a process of its own. */
export async function startCodexBench(version: CodexVersion): Promise<CodexBench | { readonly skip: string }> {
  const found = codexPath(version);
  if ('skip' in found) return found;
  const model = await spawnScriptedModel();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-codex-'));
  writeCodexConfig(folder, model.url);
  const env = { CODEX_PATH: found.path, CODEX_HOME: folder, SIGNALBOX_LOG: 'warn', SIGNALBOX_MAX_LIVE: '50' };
  const bench = benchOf('codex', await startServer({ env }), model);
  return {
    ...bench,
    folder,
    inTerminal: (prompt, ...args) => run(found.path, ['exec', '--skip-git-repo-check', ...args, prompt], bench.server.project, { ...process.env, ...env }),
    close: async () => {
      await bench.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** With an open input it would wait for more of the prompt. */
function run(path: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let problem = '';
    child.stderr.on('data', (piece: Buffer) => {
      problem += piece.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`Codex ended with ${code}: ${problem.slice(-1000)}`))));
  });
}

/** What a person with a provider of his own has in his settings. */
export function writeCodexConfig(folder: string, modelUrl: string): void {
  const lines = [
    'model = "scripted"',
    'model_provider = "local"',
    'model_reasoning_summary = "auto"',
    'check_for_update_on_startup = false',
    '[model_providers.local]',
    'name = "Local"',
    `base_url = "${modelUrl}/v1"`,
    'wire_api = "responses"',
    'request_max_retries = 1',
    'stream_max_retries = 1',
    'supports_websockets = false',
    '[analytics]',
    'enabled = false',
  ];
  writeFileSync(join(folder, 'config.toml'), `${lines.join('\n')}\n`);
}
