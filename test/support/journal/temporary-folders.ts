import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** Folders that are removed after each test. */
export function temporaryFolder() {
  let made: string[] = [];
  afterEach(() => {
    for (const path of made) rmSync(path, { recursive: true, force: true });
    made = [];
  });
  return {
    make: (): string => {
      const path = mkdtempSync(join(tmpdir(), 'signalbox-'));
      made.push(path);
      return path;
    },
    current: (): string => made.at(-1)!,
  };
}
