import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for the current test, removed when the test finishes. */
export function temporaryFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `signalbox-${name}-`));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
