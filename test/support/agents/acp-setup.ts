import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLiveSetup, type LiveSetup } from '../live-suite/live-setup.ts';
import { startServer } from '../real-server.ts';
import { spawnScriptedModel } from '../scripted-model/spawn.ts';
import { type AcpCli, acpPath, piPath } from './agent-clis.ts';
import { program, writeConfig } from './pi-setup.ts';

/** The real server, a real ACP agent known only from the config file, and the scripted model, each in its own process. */
export async function startAcpSetup(name: AcpCli): Promise<LiveSetup | { readonly skip: string }> {
  const found = acpPath(name);
  if ('skip' in found) return found;
  const pi = piPath('0.87.1');
  if (name === 'pi-acp' && 'skip' in pi) return pi;
  const model = await spawnScriptedModel();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-acp-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const agent = name === 'opencode' ? opencode(found.path, folder, model.url) : piAcp(found.path, folder, model.url, 'path' in pi ? program(folder, pi) : '');
  writeFileSync(join(data, 'config.json'), JSON.stringify({ agents: { [`acp:${name}`]: agent } }));
  const server = await startServer({ data, env: { SIGNALBOX_LOG: 'warn', SIGNALBOX_MAX_LIVE: '50' } });
  const setup = createLiveSetup(`acp:${name}`, server, model);
  return {
    ...setup,
    close: async () => {
      await setup.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Its own configuration makes OpenCode ask before it edits a file or runs a command. */
function opencode(command: string, folder: string, modelUrl: string): object {
  const config = join(folder, 'opencode.json');
  const model = (name: string) => ({ name, reasoning: true, limit: { context: 200_000, output: 8192 }, cost: { input: 3, output: 15 } });
  const local = {
    npm: '@ai-sdk/anthropic',
    name: 'Local',
    options: { baseURL: `${modelUrl}/v1`, apiKey: 'sk-fake' },
    models: { scripted: model('Scripted'), 'scripted-two': model('Scripted two') },
  };
  writeFileSync(
    config,
    JSON.stringify({
      provider: { local },
      enabled_providers: ['local'],
      model: 'local/scripted',
      small_model: 'local/scripted',
      permission: { edit: 'ask', bash: 'ask' },
      autoupdate: false,
      share: 'disabled',
    }),
  );
  const env = { OPENCODE_CONFIG: config, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
  return { title: 'OpenCode', command, args: ['acp'], env };
}

/** Runs Pi and never asks. With Pi 0.73.1 it waits forever for an answer that this version sends without an id. */
function piAcp(command: string, folder: string, modelUrl: string, pi: string): object {
  writeConfig(folder, modelUrl);
  const env = { PI_ACP_PI_COMMAND: pi, PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1', PI_TELEMETRY: '0' };
  return { title: 'Pi over ACP', command, env };
}
