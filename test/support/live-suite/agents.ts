import { startAcpBench } from '../agents/acp-bench.ts';
import { type AcpCli, AGENT_CLIS, type ClaudeVersion, type CodexVersion, type OpenclawVersion, type PiVersion } from '../agents/agent-clis.ts';
import { startClaudeBench } from '../agents/claude-bench.ts';
import { type CodexBench, startCodexBench } from '../agents/codex-bench.ts';
import { type OpenclawBench, startOpenclawBench } from '../agents/openclaw-bench.ts';
import { type PiBench, startPiBench } from '../agents/pi-bench.ts';
import type { LiveAgent } from './live-agent.ts';

/** Every agent that the suite runs with. A version stands here, among the pinned programs, and in the adapter's `verifiedWith`: all three or none. */
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
  open: () => startClaudeBench(version),
  errorWords: REFUSED,
});

const pi = (version: PiVersion): LiveAgent<PiBench> => ({
  title: `Pi ${version}`,
  id: 'pi',
  version,
  open: () => startPiBench(version),
  errorWords: REFUSED,
});

/** Its Gateway was ready after 7 s, and after 140 s on a machine with twenty times too much to do. */
const GATEWAY_MS = 300_000;

const openclaw = (version: OpenclawVersion): LiveAgent<OpenclawBench> => ({
  title: `OpenClaw ${version}`,
  id: 'openclaw',
  version,
  open: () => startOpenclawBench(version),
  asksForCommandsOnly: true,
  limitMs: 2 * GATEWAY_MS,
  errorWords: REFUSED,
});

const codex = (version: CodexVersion): LiveAgent<CodexBench> => ({
  title: `Codex ${version}`,
  id: 'codex',
  version,
  open: () => startCodexBench(version),
  errorWords: REFUSED,
});

/** Known by the config file alone. One of them ends its turn in silence when the model fails. */
const acp = (name: AcpCli): LiveAgent => ({
  title: `${name} over ACP`,
  id: `acp:${name}`,
  version: AGENT_CLIS.find((cli) => cli.name === name)?.version ?? '',
  open: () => startAcpBench(name),
  cannot: name === 'pi-acp' ? ['permissions'] : [],
  ...(name === 'pi-acp' && { mayMissChanges: true }),
  errorWords: name === 'pi-acp' ? 'without saying or doing anything' : REFUSED,
});
