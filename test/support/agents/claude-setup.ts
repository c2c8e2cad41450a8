import { inTerminal } from '../live-suite/in-terminal.ts';
import { createLiveSetup, type LiveSetup } from '../live-suite/live-setup.ts';
import { startServer } from '../real-server.ts';
import { spawnScriptedModel } from '../scripted-model/spawn.ts';
import { type ClaudeVersion, claudePath } from './agent-clis.ts';

export async function startClaudeSetup(version: ClaudeVersion, env: Readonly<Record<string, string>> = {}): Promise<LiveSetup | { readonly skip: string }> {
  const claude = claudePath(version);
  if ('skip' in claude) return claude;
  const model = await spawnScriptedModel();
  const fullEnv = { ...claudeEnv(claude.path, model.url), ...env };
  const setup = createLiveSetup('claude-code', await startServer({ env: fullEnv }), model);
  return { ...setup, inTerminal: (prompt, ...args) => inTerminal(setup.server, claude.path, ['-p', prompt, ...args], { env: fullEnv }) };
}

export const claudeEnv = (path: string, modelUrl: string): Readonly<Record<string, string>> => ({
  CLAUDE_PATH: path,
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: 'sk-ant-fake',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '1',
  SIGNALBOX_LOG: 'warn',
  SIGNALBOX_MAX_LIVE: '50',
});
