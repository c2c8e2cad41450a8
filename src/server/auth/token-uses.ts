import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** People ask whether a token is still in use, not at which second, so uses are written this rarely. */
const WRITE_EVERY_MS = 60_000;

export interface TokenUses {
  used(id: string): void;
  lastUsed(id: string): string | undefined;
}

const Uses = z.record(z.string(), z.string());

/** When each token was last used, by id. Separate from tokens.json, which others watch for changes. */
export function openTokenUses(dataDir: string, now: () => number = Date.now): TokenUses {
  const file = join(dataDir, 'token-uses.json');
  const uses = new Map(Object.entries(readUses(file)));
  let written = 0;
  return {
    used: (id) => {
      uses.set(id, new Date(now()).toISOString());
      if (now() - written < WRITE_EVERY_MS) return;
      written = now();
      write(file, uses);
    },
    lastUsed: (id) => uses.get(id),
  };
}

/** An unreadable file only means that uses are unknown: it locks nobody out. */
function readUses(file: string): z.infer<typeof Uses> {
  try {
    return Uses.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** A full disk must not stop people from signing in. */
function write(file: string, uses: ReadonlyMap<string, string>): void {
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, `${JSON.stringify(Object.fromEntries(uses))}\n`, { mode: 0o600 });
    renameSync(next, file);
  } catch {
    return;
  }
}
