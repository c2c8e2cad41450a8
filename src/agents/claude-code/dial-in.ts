import { join } from 'node:path';
import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../adapter.ts';
import { nodeArgs, ownProgram } from '../own-program.ts';

const BRIDGE = ownProgram('src/agents/claude-code/bridge/program.ts', 'dist/agents/claude-code-bridge.mjs');

/** The bridge in place of the CLI, which it starts. Over a socket the CLI asks for permissions without being told to. */
export const dialIn = ({ executable, interpreter, packageRoot }: LaunchContext, args: readonly string[], env: Launch['env']): Launch => ({
  command: process.execPath,
  args: [...nodeArgs(join(packageRoot, BRIDGE)), ...(interpreter === undefined ? [] : [interpreter]), executable, ...args],
  env,
});

/** Seen: 2.1.120 dials in anywhere; 2.1.121 and later refuse every host but their maker's, at once. */
const LAST_THAT_DIALS = [2, 1, 120] as const;

/** Why this version cannot do what the options ask for. */
export function objection({ transport }: SessionOptions, version: string | undefined): string | undefined {
  if (transport !== 'dial-in') return undefined;
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  const way = `Up to ${LAST_THAT_DIALS.join('.')} it can. Leave out \`transport\`: over stdin and stdout every version does the same.`;
  if (numbers === undefined) return `It is not known whether this Claude Code (version ${version ?? 'unknown'}) can dial in. ${way}`;
  return isNewer(numbers) ? `Claude Code ${version} cannot dial in: it refuses --sdk-url to any host but its maker's. ${way}` : undefined;
}

function isNewer(numbers: readonly number[]): boolean {
  const at = LAST_THAT_DIALS.findIndex((number, index) => number !== numbers[index]);
  return at >= 0 && (numbers[at] ?? 0) > (LAST_THAT_DIALS[at] ?? 0);
}
