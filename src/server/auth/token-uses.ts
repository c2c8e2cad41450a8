import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** People ask "is this token still used?", not "at which second?": so often is it written down. */
const WRITE_EVERY_MS = 60_000;

export interface TokenUses {
  used(id: string): void;
  lastUsed(id: string): string | undefined;
}

const Uses = z.record(z.string(), z.string());

/** When each token was last shown, by its id. Kept apart from tokens.json, which others watch for changes. */
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

/** What cannot be read is only not known: nobody is kept out by it. */
function readUses(file: string): z.infer<typeof Uses> {
  try {
    return Uses.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** A full disk must not keep people from signing in. */
function write(file: string, uses: ReadonlyMap<string, string>): void {
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, `${JSON.stringify(Object.fromEntries(uses))}\n`, { mode: 0o600 });
    renameSync(next, file);
  } catch {
    return;
  }
}
