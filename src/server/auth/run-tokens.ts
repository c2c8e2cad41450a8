import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunId } from '../../protocol/ids.ts';

/**
 * The token of a running agent: it says which run calls, and it is worth nothing once that run has ended. It is derived from the run's id and a key in the
 * data folder, so that no token is stored anywhere, and an agent that outlives its server can use its token with the next one.
 */
export interface RunTokens {
  tokenOf(run: RunId): string;
  /** The run that a token was made for, whether or not it is still running; undefined for any other text. */
  runOf(token: string): RunId | undefined;
}

const PREFIX = 'run.';

export function openRunTokens(dataDir: string): RunTokens {
  let known: Buffer | undefined;
  const key = () => (known ??= keyIn(join(dataDir, 'run-key')));
  const signatureOf = (run: string) => createHmac('sha256', key()).update(run).digest();
  return {
    tokenOf: (run) => `${PREFIX}${run}.${signatureOf(run).toString('base64url')}`,
    runOf: (token) => {
      const [, run = '', signature = ''] = /^run\.([^.]+)\.([\w-]{43})$/.exec(token) ?? [];
      const parsed = RunId.safeParse(run);
      return parsed.success && timingSafeEqual(signatureOf(run), Buffer.from(signature, 'base64url')) ? parsed.data : undefined;
    },
  };
}

/** Created once; anyone who comes second reads the first one's key. */
export function keyIn(file: string): Buffer {
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== 32)
    throw new Error(`${file} is damaged. Delete it and restart the server; what was derived from it (tokens of running agents, or links to sessions) ends.`);
  return key;
}
