import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchOf, type LiveBench } from '../live-suite/bench.ts';
import { startServer } from '../real-server.ts';
import { spawnScriptedModel } from '../scripted-model/spawn.ts';
import { type AcpCli, acpPath, piPath } from './agent-clis.ts';
import { program, writeConfig } from './pi-bench.ts';

/** The real server, a real agent that speaks ACP and is known by the config file alone, and the scripted model, each a process of its own. */
export async function startAcpBench(name: AcpCli): Promise<LiveBench | { readonly skip: string }> {
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
  const bench = benchOf(`acp:${name}`, server, model);
  return {
    ...bench,
    close: async () => {
      await bench.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** It asks before it changes a file or runs a command, as its own configuration says. */
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

/** It runs Pi, and asks nobody. With Pi 0.73.1 it waits for ever for an answer that this version gives without an id. */
function piAcp(command: string, folder: string, modelUrl: string, pi: string): object {
  writeConfig(folder, modelUrl);
  const env = { PI_ACP_PI_COMMAND: pi, PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1', PI_TELEMETRY: '0' };
  return { title: 'Pi over ACP', command, env };
}
