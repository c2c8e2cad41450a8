import { startAcpSetup } from '../agents/acp-setup.ts';
import { type AcpCli, AGENT_CLIS, type ClaudeVersion, type CodexVersion, type OpenclawVersion, type PiVersion } from '../agents/agent-clis.ts';
import { startClaudeSetup } from '../agents/claude-setup.ts';
import { type CodexSetup, startCodexSetup } from '../agents/codex-setup.ts';
import { type OpenclawSetup, startOpenclawSetup } from '../agents/openclaw-setup.ts';
import { type PiSetup, startPiSetup } from '../agents/pi-setup.ts';
import type { LiveAgent } from './live-agent.ts';

/** Every agent that the suite runs with. A version must be here, in the list of pinned programs, and in the adapter's `verifiedWith`: all three or none. */
export const LIVE_AGENTS = {
  claudeCode: () => (['2.1.197', '2.1.325'] as const).map(claudeCode),
  pi: () => (['0.73.1', '0.87.1'] as const).map(pi),
  openclaw: () => (['2026.9.6'] as const).map(openclaw),
  codex: () => (['0.166.0'] as const).map(codex),
  acp: () => (['opencode', 'pi-acp'] as const).map(acp),
} as const;

const REFUSED = 'The request is not understood';

const claudeCode = (version: ClaudeVersion): LiveAgent => ({
  title: `Claude Code ${version}`,
  id: 'claude-code',
  version,
  open: () => startClaudeSetup(version),
  errorWords: REFUSED,
});

const pi = (version: PiVersion): LiveAgent<PiSetup> => ({
  title: `Pi ${version}`,
  id: 'pi',
  version,
  open: () => startPiSetup(version),
  errorWords: REFUSED,
});

/** Its Gateway was ready after 7 s, and after 140 s on a machine with twenty times its normal load. */
const GATEWAY_MS = 300_000;

const openclaw = (version: OpenclawVersion): LiveAgent<OpenclawSetup> => ({
  title: `OpenClaw ${version}`,
  id: 'openclaw',
  version,
  open: () => startOpenclawSetup(version),
  asksForCommandsOnly: true,
  limitMs: 2 * GATEWAY_MS,
  errorWords: REFUSED,
});

const codex = (version: CodexVersion): LiveAgent<CodexSetup> => ({
  title: `Codex ${version}`,
  id: 'codex',
  version,
  open: () => startCodexSetup(version),
  errorWords: REFUSED,
});

/** Known only from the config file. One of them ends its turn without output when the model fails. */
const acp = (name: AcpCli): LiveAgent => ({
  title: `${name} over ACP`,
  id: `acp:${name}`,
  version: AGENT_CLIS.find((cli) => cli.name === name)?.version ?? '',
  open: () => startAcpSetup(name),
  cannot: name === 'pi-acp' ? ['permissions'] : [],
  ...(name === 'pi-acp' && { mayMissChanges: true }),
  errorWords: name === 'pi-acp' ? 'without saying or doing anything' : REFUSED,
});
