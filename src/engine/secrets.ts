import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { SessionId } from '../protocol/ids.ts';
import type { SessionSecrets } from './deps.ts';

const Env = z.record(z.string(), z.string());

/** Keeps the environment of each session in a file that only its owner can read. */
export function createSecrets(dataDir: string): SessionSecrets {
  const folder = join(dataDir, 'secrets');
  const file = (session: SessionId): string => join(folder, `${session}.json`);
  return {
    put: async (session, env) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const fresh = `${file(session)}.new`;
      await writeFile(fresh, JSON.stringify(env), { mode: 0o600 });
      await rename(fresh, file(session));
    },
    get: async (session) => {
      const text = await readFile(file(session), 'utf8').catch(() => undefined);
      return text === undefined ? {} : Env.parse(JSON.parse(text));
    },
    forget: (session) => rm(file(session), { force: true }),
  };
}
