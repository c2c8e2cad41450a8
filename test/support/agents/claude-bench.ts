import { benchOf, type LiveBench } from '../live-suite/bench.ts';
import { inTerminal } from '../live-suite/in-terminal.ts';
import { startServer } from '../real-server.ts';
import { spawnScriptedModel } from '../scripted-model/spawn.ts';
import { type ClaudeVersion, claudePath } from './agent-clis.ts';

export async function startClaudeBench(version: ClaudeVersion, env: Readonly<Record<string, string>> = {}): Promise<LiveBench | { readonly skip: string }> {
  const claude = claudePath(version);
  if ('skip' in claude) return claude;
  const model = await spawnScriptedModel();
  const whole = { ...claudeEnv(claude.path, model.url), ...env };
  const bench = benchOf('claude-code', await startServer({ env: whole }), model);
  return { ...bench, inTerminal: (prompt, ...args) => inTerminal(bench.server, claude.path, ['-p', prompt, ...args], { env: whole }) };
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
