import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { SessionId } from '../protocol/ids.ts';
import type { SessionSecrets } from './loop/engine-deps.ts';

const Env = z.record(z.string(), z.string());

/** Stores the environment of each session in a file that only its owner can read. */
export function createSecrets(dataDir: string): SessionSecrets {
  const folder = join(dataDir, 'secrets');
  const file = (session: SessionId): string => join(folder, `${session}.json`);
  removeUnfinished(folder);
  return {
    put: async (session, env) => {
      if (!existsSync(folder)) {
        mkdirSync(folder, { mode: 0o700 });
        await syncFolder(dataDir);
      }
      const fresh = `${file(session)}.${randomUUID()}.new`;
      await writeSynced(fresh, JSON.stringify(env));
      await rename(fresh, file(session));
      await syncFolder(folder);
    },
    get: async (session) => {
      const text = await readFile(file(session), 'utf8').catch(() => undefined);
      return text === undefined ? {} : Env.parse(JSON.parse(text));
    },
    forget: (session) => rm(file(session), { force: true }),
  };
}

/** A server that was killed while writing leaves a temporary file that nothing reads. */
function removeUnfinished(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith('.new')) rmSync(join(folder, name));
}

async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
