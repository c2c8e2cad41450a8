import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTerminal } from '../live-suite/in-terminal.ts';
import { createLiveSetup, type LiveSetup } from '../live-suite/live-setup.ts';
import { startServer } from '../real-server.ts';
import { spawnScriptedModel } from '../scripted-model/spawn.ts';
import { type PiVersion, piPath } from './agent-clis.ts';

export interface PiSetup extends LiveSetup {
  /** Pi's own folder. */
  readonly folder: string;
  inTerminal(prompt: string, ...args: readonly string[]): Promise<void>;
}

/** The real server, the real Pi and the scripted model, each in its own process. */
export async function startPiSetup(version: PiVersion): Promise<PiSetup | { readonly skip: string }> {
  const found = piPath(version);
  if ('skip' in found) return found;
  const model = await spawnScriptedModel();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-pi-'));
  writeConfig(folder, model.url);
  const path = program(folder, found);
  const setup = createLiveSetup('pi', await startServer({ env: piEnv(path, folder) }), model);
  return {
    ...setup,
    folder,
    // On the command line, a prompt that starts with `@` would be a file.
    inTerminal: (prompt, ...args) => inTerminal(setup.server, path, ['-p', ...args], { env: piEnv(path, folder), input: prompt }),
    close: async () => {
      await setup.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One executable file, as a person would set it in PI_PATH. */
export function program(folder: string, { path, node }: { readonly path: string; readonly node?: string }): string {
  if (node === undefined) return path;
  const file = join(folder, 'pi');
  writeFileSync(file, `#!/bin/sh\nexec ${node} ${path} "$@"\n`, { mode: 0o755 });
  return file;
}

export const piEnv = (path: string, folder: string): Readonly<Record<string, string>> => ({
  PI_PATH: path,
  PI_CODING_AGENT_DIR: folder,
  PI_OFFLINE: '1',
  PI_TELEMETRY: '0',
  SIGNALBOX_LOG: 'warn',
  SIGNALBOX_MAX_LIVE: '50',
});

const NAMES = ['scripted', 'scripted-two'];

export function writeConfig(folder: string, modelUrl: string): void {
  const models = NAMES.map((id) => ({
    id,
    name: id,
    reasoning: true,
    input: ['text', 'image'],
    contextWindow: 200_000,
    maxTokens: 8192,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  }));
  const providers = { local: { baseUrl: modelUrl, api: 'anthropic-messages', apiKey: 'sk-fake', models } };
  writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers }));
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ defaultProvider: 'local', defaultModel: 'scripted', defaultThinkingLevel: 'medium' }));
}
