import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTerminal } from '../live-suite/in-terminal.ts';
import { createLiveSetup, type LiveSetup } from '../live-suite/live-setup.ts';
import { startServer } from '../real-server.ts';
import { spawnScriptedModel } from '../scripted-model/spawn.ts';
import { type CodexVersion, codexPath } from './agent-clis.ts';

export interface CodexSetup extends LiveSetup {
  /** Codex's own folder. */
  readonly folder: string;
  inTerminal(prompt: string, ...args: readonly string[]): Promise<void>;
}

/** The real server, the real Codex and the scripted model, each in its own process. */
export async function startCodexSetup(version: CodexVersion): Promise<CodexSetup | { readonly skip: string }> {
  const found = codexPath(version);
  if ('skip' in found) return found;
  const model = await spawnScriptedModel();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-codex-'));
  writeCodexConfig(folder, model.url);
  const env = { CODEX_PATH: found.path, CODEX_HOME: folder, SIGNALBOX_LOG: 'warn', SIGNALBOX_MAX_LIVE: '50' };
  const setup = createLiveSetup('codex', await startServer({ env }), model);
  return {
    ...setup,
    folder,
    inTerminal: (prompt, ...args) => inTerminal(setup.server, found.path, ['exec', '--skip-git-repo-check', ...args, prompt], { env }),
    close: async () => {
      await setup.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The settings of a person with their own model provider. */
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
