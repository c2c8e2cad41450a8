import { join } from 'node:path';
import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../port/adapter.ts';
import { nodeArgs, ownProgram } from '../port/own-program.ts';

const BRIDGE = ownProgram('src/agents/claude-code/bridge/program.ts', 'dist/agents/claude-code-bridge.mjs');

/** Launches the bridge, which starts the CLI. Over a socket the CLI asks for permissions without a flag. */
export const launchBridge = ({ executable, interpreter, packageRoot }: LaunchContext, args: readonly string[], env: Launch['env']): Launch => ({
  command: process.execPath,
  args: [...nodeArgs(join(packageRoot, BRIDGE)), ...(interpreter === undefined ? [] : [interpreter]), executable, ...args],
  env,
});

/** Seen: 2.1.120 connects to any host; 2.1.121 and later refuse every host except their vendor's, immediately. */
const LAST_SUPPORTED = [2, 1, 120] as const;

/** Why this version doesn't support the options. */
export function unsupportedReason({ transport }: SessionOptions, version: string | undefined): string | undefined {
  if (transport !== 'dial-in') return undefined;
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  const advice = `Versions up to ${LAST_SUPPORTED.join('.')} can. Leave out \`transport\`: over stdin and stdout every version works the same.`;
  if (numbers === undefined) return `Signalbox can't tell whether this Claude Code (version ${version ?? 'unknown'}) can dial in. ${advice}`;
  return isNewer(numbers) ? `Claude Code ${version} cannot dial in: it only accepts its vendor's hosts for --sdk-url. ${advice}` : undefined;
}

function isNewer(numbers: readonly number[]): boolean {
  const at = LAST_SUPPORTED.findIndex((number, index) => number !== numbers[index]);
  return at >= 0 && (numbers[at] ?? 0) > (LAST_SUPPORTED[at] ?? 0);
}
