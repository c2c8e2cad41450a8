import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Characters of text in every delta that the agent prints; must match agent.c. */
export const TEXT_CHARS = 60;

const SOURCE = fileURLToPath(new URL('./agent.c', import.meta.url));
const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));

/** The path of the compiled agent. With a slower agent, the benchmark would measure the agent. */
export function builtAgent(): string {
  const binary = `${CACHE}bench-agent-${createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 12)}`;
  if (existsSync(binary)) return binary;
  mkdirSync(CACHE, { recursive: true });
  const { status, stderr } = spawnSync('cc', ['-O2', '-o', `${binary}.new`, SOURCE], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The benchmark needs a C compiler (cc): ${stderr ?? 'not found'}`);
  renameSync(`${binary}.new`, binary);
  return binary;
}
